/** Every traffic format for import and export; flags, help and format detection derive from this list. */
import { createCurlScript } from './curl-script.ts'
import { curlFormat } from './curl.ts'
import type { Format } from './format.ts'
import { goreplayFormat } from './goreplay.ts'
import { har } from './har.ts'
import { k6 } from './k6.ts'
import { logsFormat } from './logs.ts'
import { mitmproxyFormat } from './mitmproxy.ts'
import { postmanFormat } from './postman.ts'
import { recording } from './recording.ts'

export const formats: readonly Format[] = [
  har,
  recording,
  {
    ...curlFormat,
    summary: `${curlFormat.summary}; written as a shell script`,
    exporter: createCurlScript,
    most: 10_000,
  },
  k6,
  logsFormat,
  mitmproxyFormat,
  postmanFormat,
  goreplayFormat,
]
