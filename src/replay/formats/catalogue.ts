/** Every traffic format for import and export; flags, help and format detection derive from this list. */
import { createCurlScriptExporter } from './curl-script.ts'
import { curlTraceFormat } from './curl-trace.ts'
import { curlFormat } from './curl.ts'
import type { Format } from './format.ts'
import { goreplayFormat } from './goreplay.ts'
import { harFormat } from './har.ts'
import { k6Format } from './k6.ts'
import { logsFormat } from './logs.ts'
import { mitmproxyFormat } from './mitmproxy.ts'
import { postmanFormat } from './postman.ts'
import { recordingFormat } from './recording.ts'
import { vcrFormat } from './vcr.ts'

export const formats: readonly Format[] = [
  harFormat,
  recordingFormat,
  {
    ...curlFormat,
    summary: `${curlFormat.summary}; written as a shell script`,
    exporter: createCurlScriptExporter,
    maxExchanges: 10_000,
  },
  curlTraceFormat,
  k6Format,
  logsFormat,
  mitmproxyFormat,
  postmanFormat,
  goreplayFormat,
  vcrFormat,
]
