/**
 * A Lambda function keeps the first ports that it opens, so each test file about functions loads the project's modules again. Packages stay
 * loaded, because loading packages takes ten times as long as loading the project's modules.
 */
import { vi } from "vitest";

vi.resetModules();
