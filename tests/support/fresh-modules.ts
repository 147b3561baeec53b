/**
 * Each test file of functions loads the project's modules anew, because functions keep their first ports.
 * Packages stay loaded; loading them takes ten times as long.
 */
import { vi } from "vitest";

vi.resetModules();
