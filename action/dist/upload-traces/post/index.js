import { run } from "../../index.js";
await run("step/post");
