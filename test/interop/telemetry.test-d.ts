import * as otel from "@opentelemetry/api";
import { expectTypeOf } from "vitest";
import { instrumentKit } from "../../src/entries/telemetry.ts";
import type { Kit } from "../../src/index.ts";

declare const kit: Kit;

expectTypeOf(instrumentKit(kit, otel)).toEqualTypeOf<() => void>();
