import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { pressDetail } from "../api/press.ts";
import { ApiProblem } from "../api/problem.ts";
import { Missing } from "../shell/missing.tsx";
import { press as words } from "../strings/press.ts";
import { Failure } from "../ui/notice.tsx";
import { Bar, TextSkeleton } from "../ui/skeleton.tsx";
import { useTitle } from "../ui/title.ts";
import { Detail } from "./detail.tsx";

const route = getRouteApi("/press/$slug");

/** One press: everything that is free, and the text or how to get it. */
export function PressPage() {
  const { slug } = route.useParams();
  const { data, error, refetch } = useQuery(pressDetail(slug));
  if (data !== undefined) return <Detail key={data.press.id} detail={data} />;
  if (error === null) return <Loading />;
  if (error instanceof ApiProblem && error.kind === "missing") return <Missing />;
  return <Failed error={error} retry={() => void refetch()} />;
}

function Loading() {
  useTitle(words.loadingTitle);
  return (
    <div className="frame grid gap-6 py-8 sm:py-12" aria-busy="true">
      <p className="sr-only" role="status">
        {words.loading}
      </p>
      <Bar className="h-4 w-48" />
      <Bar className="h-10 w-4/5 max-w-2xl" />
      <TextSkeleton />
    </div>
  );
}

function Failed(failure: Pick<Parameters<typeof Failure>[0], "error" | "retry">) {
  useTitle(words.failedTitle);
  return (
    <div className="frame py-12">
      <h1 className="sr-only">{words.failedTitle}</h1>
      <Failure heading={words.failed} {...failure} />
    </div>
  );
}
