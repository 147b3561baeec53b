/**
 * Each test file of functions loads the project's modules again, because functions keep the first ports that they open. Packages stay
 * loaded, because loading packages takes ten times as long as loading the project's modules.
 */
import { vi } from "vitest";

vi.resetModules();
