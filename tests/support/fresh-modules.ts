/**
 * Each test file of functions loads the project's modules anew, because functions keep the ports that they have opened first. Packages stay
 * loaded, because loading packages takes ten times as long as loading the project's modules.
 */
import { vi } from "vitest";

vi.resetModules();
