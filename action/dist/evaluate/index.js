import { run } from "../index.js";
await run("evaluate/main");
