/**
 * Each test file of functions loads the project's modules anew, because functions keep their first ports. Packages stay loaded, because
 * loading packages takes ten times as long as loading the project's modules.
 */
import { vi } from "vitest";

vi.resetModules();
