import { Component, type ReactNode } from "react";
import { Notice } from "./notice.tsx";

type BoundaryProps = { readonly children: ReactNode };
type BoundaryState = { readonly broken: boolean };

/** Keeps a defect in one page from emptying the whole site. React reports the defect itself to the console. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override readonly state: BoundaryState = { broken: false };

  static getDerivedStateFromError(): BoundaryState {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <div className="frame page" role="alert">
        <Notice heading="This page met an error of its own">
          <p>It could not be shown. Loading it again may help.</p>
          <button type="button" onClick={() => window.location.reload()}>
            Load again
          </button>
        </Notice>
      </div>
    );
  }
}
