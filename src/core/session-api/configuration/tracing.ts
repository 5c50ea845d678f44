/** Where the spans of a session are exported to. */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'
import { HttpUrl } from './credentials.ts'
import { onOrOff } from '../../protocol/setting.ts'

export const TracingSetting = strictObject(() => ({
  on: onOrOff(false).describe(
    'export a span for each exchange and pass trace contexts on, also without `otlp`: then to OTEL_EXPORTER_OTLP_ENDPOINT, or to http://127.0.0.1:4318',
  ),
  otlp: HttpUrl.optional().describe(
    'the OTLP/HTTP endpoint of a collector, http://127.0.0.1:4318 for one on this machine; naming it switches tracing on',
  ),
  headers: z
    .record(z.string().min(1), z.string())
    .default({})
    .describe('more headers for the collector, such as its API key'),
})).describe('traces by OpenTelemetry')
