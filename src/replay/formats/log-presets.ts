/** Mappings for common loggers. The first that finds method, URL and status in a line is used for the whole file. */
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { z } from 'zod'
import { strictObject } from '../../core/base/lazy-object.ts'

const attribute = (...names: readonly string[]): string[] =>
  names.flatMap((name) => [
    `$.attributes[?@.key=='${name}'].value.*`,
    `$.attributes['${name}']`,
    `$.tags['${name}']`,
  ])

/** An OTLP line nests spans in scopes in resources; other exporters write one span per line. */
const spans = [
  '$.resourceSpans[*].scopeSpans[*].spans[*]',
  '$.resourceSpans[*].instrumentationLibrarySpans[*].spans[*]',
  '$',
]

export const logPresets: Readonly<Record<string, LogMapping>> = {
  'pino-http': {
    method: ['$.req.method'],
    url: ['$.req.url'],
    host: ['$.req.headers.host'],
    status: ['$.res.statusCode'],
    time: ['$.time'],
    timeIs: 'end',
    took: ['$.responseTime'],
    requestHeaders: ['$.req.headers'],
    requestBody: ['$.req.body', '$.req.raw.body', '$.body'],
    responseHeaders: ['$.res.headers'],
    responseBody: ['$.res.body', '$.res.raw.body'],
    error: ['$.err.message'],
  },
  opentelemetry: {
    each: spans,
    method: attribute('http.request.method', 'http.method'),
    url: attribute('url.full', 'http.url', 'url.path', 'http.target'),
    scheme: attribute('url.scheme', 'http.scheme'),
    host: attribute('server.address', 'http.host', 'net.host.name'),
    query: attribute('url.query'),
    status: attribute('http.response.status_code', 'http.status_code'),
    time: ['$.startTimeUnixNano', '$.start_time', '$.timestamp'],
    end: ['$.endTimeUnixNano', '$.end_time'],
    took: ['$.duration'],
    tookUnit: 'us',
    requestBody: attribute('http.request.body', 'http.request.body.content'),
    responseBody: attribute('http.response.body', 'http.response.body.content'),
    error: ['$.status.message', ...attribute('error.type')],
  },
  'api-gateway': {
    method: ['$.httpMethod'],
    url: ['$.path', '$.resourcePath'],
    host: ['$.domainName', '$.host'],
    scheme: ['$.scheme'],
    status: ['$.status'],
    time: ['$.requestTimeEpoch', '$.requestTime'],
    took: ['$.responseLatency', '$.latency'],
    requestHeaders: ['$.requestHeaders'],
    requestBody: ['$.requestBody', '$.body'],
    responseBody: ['$.responseBody'],
    error: ["$['error.message']", '$.errorMessage', '$.integrationError'],
    requestHeader: { 'User-Agent': ['$.userAgent'] },
  },
  nginx: {
    method: ['$.request_method', '$.method'],
    url: ['$.request_uri', '$.uri', '$.path'],
    requestLine: ['$.request'],
    scheme: ['$.scheme'],
    host: ['$.http_host', '$.host', '$.server_name', '$.vhost'],
    query: ['$.args', '$.query_string'],
    status: ['$.status'],
    time: ['$.msec', '$.time_iso8601', "$['@timestamp']", '$.time_local', '$.timestamp', '$.time'],
    timeUnit: 's',
    timeIs: 'end',
    took: ['$.request_time', '$.duration'],
    tookUnit: 's',
    requestBody: ['$.request_body'],
    responseBody: ['$.resp_body', '$.response_body'],
    requestHeader: {
      'User-Agent': ['$.http_user_agent', '$.user_agent', '$.agent'],
      Referer: ['$.http_referer', '$.http_referrer', '$.referer', '$.referrer'],
      'Content-Type': ['$.content_type', '$.http_content_type'],
      Authorization: ['$.http_authorization'],
      'X-Request-Id': ['$.http_x_request_id'],
    },
    responseHeader: { 'Content-Type': ['$.sent_http_content_type'] },
  },
}

/** Parses a mapping, or the name of a preset, and merges its preset into it. */
export function parseLogMapping(input: unknown): Result<LogMapping, string> {
  const parsed = LogMapping.safeParse(typeof input === 'string' ? { preset: input } : input)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return err(
      `reading the mapping: ${issue?.path.join('.') || 'it'} will not do: ${issue?.message}`,
    )
  }
  const { preset, ...own } = parsed.data
  if (preset === undefined) return ok(own)
  const base = Object.hasOwn(logPresets, preset) ? logPresets[preset] : undefined
  return base
    ? ok({ ...base, ...own })
    : err(
        `reading the mapping: there is no preset ${JSON.stringify(preset)}; there are ${Object.keys(logPresets).join(', ')}`,
      )
}

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
  requestHeaders: Paths.describe('an object, a list of names and values, or lines of text'),
  requestBody: Paths,
  responseHeaders: Paths,
  responseBody: Paths,
  error: Paths.describe('why there was no response'),
}
export const logPathFields = Object.keys(paths) as readonly (keyof typeof paths)[]

/**
 * Mapping from log records to exchange fields by JSONPath (RFC 9535); the first path with a match wins. From a file of the
 * user or a preset.
 */
export const LogMapping = strictObject(() => ({
  preset: z.string().describe('begin with this one, and change what is given here'),
  ...paths,
  each: Paths.describe('where in a line the records stand, when it holds several'),
  /** Headers logged in separate fields, by header name. */
  requestHeader: z.record(z.string(), Paths),
  responseHeader: z.record(z.string(), Paths),
  timeUnit: z.enum(['s', 'ms', 'us', 'ns']).describe('of a time that is a number; guessed without'),
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
})).partial()
export type LogMapping = z.infer<typeof LogMapping>
