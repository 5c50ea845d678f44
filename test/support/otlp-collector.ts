/**
 * A collector of OpenTelemetry traces on the loopback: keeps what is posted over OTLP/HTTP in JSON, and answers as a
 * test says.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { listenOnSocket, type OnSocket } from './on-socket.ts'

const hexId = (digits: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`))
const unixNano = z.string().regex(/^\d{19}$/)

const Attribute = z.strictObject({
  key: z.string().min(1),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  ]),
})
const Attributes = z.array(Attribute)

/** ExportTraceServiceRequest in the JSON form of OTLP, as strict as its reader may be: no other members. */
const ExportRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: Attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(
            z.strictObject({
              traceId: hexId(32),
              spanId: hexId(16),
              parentSpanId: hexId(16).optional(),
              traceState: z.string().optional(),
              flags: z.int().min(0),
              name: z.string().min(1),
              kind: z.union([z.literal(2), z.literal(3)]),
              startTimeUnixNano: unixNano,
              endTimeUnixNano: unixNano,
              attributes: Attributes,
              links: z.array(z.strictObject({ traceId: hexId(32), spanId: hexId(16) })).optional(),
              status: z.strictObject({
                code: z.literal(2).optional(),
                message: z.string().optional(),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
})

type RawSpan = z.infer<
  typeof ExportRequest
>['resourceSpans'][number]['scopeSpans'][number]['spans'][number]

export interface CollectedSpan extends Omit<RawSpan, 'attributes'> {
  readonly service: string
  readonly attributes: Readonly<Record<string, string | number>>
}

export interface CollectorAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface OtlpCollector extends OnSocket {
  readonly spans: readonly CollectedSpan[]
  readonly posts: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** The attributes of each resource, by the name of its service. */
  readonly resources: ReadonlyMap<string, Readonly<Record<string, string | number>>>
  /** Resolves when so many posts have come. */
  readonly untilPosts: (count: number) => Promise<void>
  /** Answers of the next posts; 200 afterwards. What is answered otherwise is not kept. */
  readonly answers: CollectorAnswer[]
}

const valuesOf = (list: z.infer<typeof Attributes>): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    list.map(({ key, value }) => [
      key,
      'stringValue' in value ? value.stringValue : Number(value.intValue),
    ]),
  )

export async function openOtlpCollector(port = 0): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = []
  const posts: { path: string; headers: IncomingHttpHeaders }[] = []
  const resources = new Map<string, Readonly<Record<string, string | number>>>()
  const answers: CollectorAnswer[] = []
  let wake: (() => void)[] = []

  function keep(text: string): void {
    for (const { resource, scopeSpans } of ExportRequest.parse(JSON.parse(text)).resourceSpans) {
      const attributes = valuesOf(resource.attributes)
      const service = String(attributes['service.name'])
      resources.set(service, attributes)
      for (const span of scopeSpans.flatMap((each) => each.spans))
        spans.push({ ...span, service, attributes: valuesOf(span.attributes) })
    }
  }

  const server = await listenOnSocket((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      posts.push({ path: request.url ?? '', headers: request.headers })
      const answer = answers.shift() ?? { status: 200, body: '{}' }
      let { status } = answer
      try {
        if (status === 200) keep(Buffer.concat(chunks).toString())
      } catch (error) {
        status = 400
        process.stderr.write(`the collector cannot read it: ${String(error)}\n`)
      }
      response.writeHead(status, answer.headers).end(answer.body)
      for (const each of wake.splice(0)) each()
    })
  }, port)
  return {
    ...server,
    spans,
    posts,
    resources,
    answers,
    async untilPosts(count) {
      while (posts.length < count)
        await new Promise<void>((resolve) => {
          wake = [...wake, resolve]
        })
    },
  }
}
