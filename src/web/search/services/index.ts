import type { SearchService } from "../../../core/index.ts";
import { brave } from "./brave.ts";
import { exa } from "./exa.ts";
import { google } from "./google.ts";
import { jina } from "./jina.ts";
import { searxng } from "./searxng.ts";
import { tavily } from "./tavily.ts";

/** The known services, in the order in which configured ones are tried. */
export const searchServices: readonly SearchService[] = [tavily, jina, searxng, brave, exa, google];
