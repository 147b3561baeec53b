#!/usr/bin/env node
import { run } from "./program.ts";

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
