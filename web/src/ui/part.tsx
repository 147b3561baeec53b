import { Component, type ComponentType, type ReactNode, Suspense, use } from "react";
import { common } from "../strings/common.ts";
import { Button, ReloadButton } from "./button.tsx";
import { LoadingDialog, OpeningDialog } from "./status.tsx";

/** The error for code that could not be loaded. */
export class PartUnreachable extends Error {
  override readonly name = "PartUnreachable";
}

/** After this number of milliseconds, a failure is forgotten, so that the next attempt loads the code again. */
const failureTime = 1_000;

/**
 * A part of the site, for example a page or a dialog, with code that is loaded on demand. The part throws `PartUnreachable` if its code
 * cannot be loaded. React's `lazy` would remember the failure for ever. The router's own lazy component would reload the site, and without
 * a network connection the browser would then show its own error page.
 */
export function makeLazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Part: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  let failure: PartUnreachable | undefined;
  const preload = () => {
    loading ??= load().then(
      (loaded) => {
        Part = loaded;
      },
      (cause: unknown) => {
        failure = new PartUnreachable("The code of a part of the site could not be loaded.", { cause });
        setTimeout(() => {
          loading = failure = undefined;
        }, failureTime);
      },
    );
    return loading;
  };
  function LazyPart(props: Props) {
    if (failure !== undefined) throw failure;
    if (Part === undefined) use(preload());
    return Part === undefined ? null : <Part {...props} />;
  }
  return Object.assign(LazyPart, { preload });
}

type BoundaryProps = {
  /** Closes the dialog or menu. If `onClose` is left out, the message appears in the page, in the place of the part. */
  readonly onClose?: (() => void) | undefined;
  /** The content that is shown while the code is loading. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
};

/**
 * Shows a dialog, a menu or a part of the page. The part's code is loaded on demand. If the code cannot be loaded, a message is shown, and
 * the page below the message keeps what the reader has entered.
 */
export class PartBoundary extends Component<BoundaryProps> {
  override readonly state: { readonly failure?: unknown } = {};

  static getDerivedStateFromError(failure: unknown) {
    return { failure };
  }

  override render() {
    const { onClose, fallback = onClose && <OpeningDialog onClose={onClose} />, children } = this.props;
    const { failure } = this.state;
    if (failure === undefined) return <Suspense fallback={fallback}>{children}</Suspense>;
    if (!(failure instanceof PartUnreachable)) throw failure;
    return <PartFailed onClose={onClose} />;
  }
}

/** Offers to load the page again, because some browsers do not load failed code a second time. A reload deletes no signed payment. */
function PartFailed({ onClose }: Pick<BoundaryProps, "onClose">) {
  const message = (
    <div role="alert" className="grid gap-4">
      <p>{common.partFailed}</p>
      <div className="flex gap-3">
        <ReloadButton look="primary">{common.reload}</ReloadButton>
        {onClose && <Button onClick={onClose}>{common.close}</Button>}
      </div>
    </div>
  );
  return onClose === undefined ? (
    message
  ) : (
    <LoadingDialog label={common.partFailed} onClose={onClose}>
      {message}
    </LoadingDialog>
  );
}
