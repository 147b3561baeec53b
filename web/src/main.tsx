import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/request.ts";
import { router } from "./router.tsx";
import { keepFocus } from "./shell/shell.tsx";
import { PartUnreachable } from "./ui/part.tsx";
import { reopenWallet } from "./wallet/state.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root.");
// The document's own content stays visible until the page's code and data are loaded.
await router.load();
createRoot(root, {
  // If code could not be loaded, the page itself reports the failure. Only defects are logged.
  onCaughtError: (error) => {
    if (!(error instanceof PartUnreachable)) console.error(error);
  },
}).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
keepFocus();
reopenWallet();
