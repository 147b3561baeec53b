/**
 * A test file of functions gets the project's modules anew: functions keep the ports that they were given first. The
 * packages stay, which take ten times as long to load.
 */
import { vi } from "vitest";

vi.resetModules();
