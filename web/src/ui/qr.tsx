import encodeQR from "qr";

/** Shows a text as a QR code. The QR code is dark on a light ground in both colour schemes, because cameras expect dark QR codes. */
export default function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const rows = encodeQR(text, "raw", { border: 2 });
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label={label}
      className="w-full max-w-64 rounded-lg"
    >
      <rect width="100%" height="100%" fill="white" />
      <path d={path} fill="black" shapeRendering="crispEdges" />
    </svg>
  );
}
