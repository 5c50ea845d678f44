/** A bucket on a real socket that only answers presigned URLs: one signature for each method and object. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ScriptedAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface PresignedBucket extends AsyncDisposable {
  readonly url: (method: 'GET' | 'PUT', object: string) => string
  /** By name; those that were put and those that a test puts there. */
  readonly objects: Map<string, string>
  /** Method, object and status of each answer. */
  readonly answers: string[]
  /** Taken from the front, each before the bucket answers by itself. */
  readonly scripted: ScriptedAnswer[]
}

const errorDocument = (code: string): string => `<Error><Code>${code}</Code></Error>`

export async function startPresignedBucket(): Promise<PresignedBucket> {
  const objects = new Map<string, string>()
  const answers: string[] = []
  const scripted: ScriptedAnswer[] = []

  function answerOf(method: string, { pathname, searchParams }: URL, body: string): ScriptedAnswer {
    const next = scripted.shift()
    if (next) return next
    const object = pathname.slice(1)
    if (searchParams.get('X-Signature') !== `${method}-${object}`)
      return { status: 403, body: errorDocument('SignatureDoesNotMatch') }
    if (method === 'PUT') {
      objects.set(object, body)
      return { status: 200 }
    }
    const stored = objects.get(object)
    return stored === undefined
      ? { status: 404, body: errorDocument('NoSuchKey') }
      : { status: 200, body: stored }
  }

  const server = createServer((request, response) => {
    void text(request).then((received) => {
      const { method = '' } = request
      const url = new URL(request.url ?? '', 'http://bucket.test')
      const { status, headers, body } = answerOf(method, url, received)
      answers.push(`${method} ${url.pathname.slice(1)} ${status}`)
      response.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (method, object) => `http://127.0.0.1:${port}/${object}?X-Signature=${method}-${object}`,
    objects,
    answers,
    scripted,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
