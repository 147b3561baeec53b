import { QueryClient } from "@tanstack/react-query";
import { ApiProblem } from "./problem.ts";

/** Everything that was read from the service, by key. What is shown again is shown at once and read anew behind it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 30 * 60_000,
      retry: (failures, error) =>
        failures < 1 && error instanceof ApiProblem && (error.kind === "unreachable" || error.status === 503),
      retryDelay: 400,
    },
    mutations: { retry: false },
  },
});
