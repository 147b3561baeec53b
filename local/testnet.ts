import { testnet } from "./testnet/run.ts";

process.exitCode = await testnet(process.argv.slice(2), process.env, (line) => console.log(line));
