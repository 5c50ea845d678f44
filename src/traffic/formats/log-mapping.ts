/**
 * Mapping from log records to exchange fields by JSONPath (RFC 9535); the first path with a match wins. From a file of the
 * user or a preset.
 */
import { z } from 'zod'

const Paths = z.union([z.string().max(500), z.array(z.string().max(500)).max(16)])
const Values = z.union([z.string(), z.array(z.string()).max(16)])

/** Fields whose values are paths. */
const paths = {
  method: Paths.describe('GET'),
  url: Paths.describe('absolute, or a path that host and scheme are put before'),
  requestLine: Paths.describe('GET /v2/orders HTTP/1.1, in place of method and url'),
  scheme: Paths,
  host: Paths,
  query: Paths.describe('put behind a url that has none'),
  status: Paths,
  time: Paths.describe('ISO 8601, 20/Nov/2026:12:00:00 +0000, or a number since 1970'),
  end: Paths.describe('when it ended, in place of how long it took'),
  took: Paths.describe('how long it took'),
  requestHeaders: Paths.describe('an object, or a list of names and values'),
  requestBody: Paths,
  responseHeaders: Paths,
  responseBody: Paths,
  error: Paths.describe('why there was no response'),
}
export const logPathFields = Object.keys(paths) as readonly (keyof typeof paths)[]

export const LogMapping = z
  .strictObject({
    preset: z.string().describe('begin with this one, and change what is given here'),
    ...paths,
    each: Paths.describe('where in a line the records stand, when it holds several'),
    /** Headers logged in separate fields, by header name. */
    requestHeader: z.record(z.string(), Paths),
    responseHeader: z.record(z.string(), Paths),
    timeUnit: z
      .enum(['s', 'ms', 'us', 'ns'])
      .describe('of a time that is a number; guessed without'),
    timeIs: z.enum(['start', 'end']).describe('of the request; start without'),
    tookUnit: z.enum(['s', 'ms', 'us', 'ns']).describe('ms without'),
    base: z.string().describe('put before a url that is only a path'),
    pair: z
      .strictObject({
        key: Paths.describe('what a line of a request and the line of its response share'),
        kind: Paths.describe('what tells them apart'),
        request: Values,
        response: Values,
      })
      .describe('where request and response are lines of their own'),
  })
  .partial()
export type LogMapping = z.infer<typeof LogMapping>
