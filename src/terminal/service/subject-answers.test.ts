/** Whether a service is still there: by its process, and by its answers over a real socket. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { Configuration } from '../../core/session-api/configuration/schema.ts'
import { findSubjectEnd } from './subject-answers.ts'
import { createSubjectQueries, unreachableReason } from './subject-requests.ts'
import { listenOnSocket } from '../../../test/support/on-socket.ts'

const configuration = Configuration.parse({})
const probe = (url: string): Promise<string | undefined> => unreachableReason(url, configuration)
const never = new AbortController().signal

/** Listens without an answer before `silent` requests have been left without an answer. */
async function listen(silent: number) {
  let left = silent
  const server = createServer((request, response) => {
    if (left-- > 0) request.socket.destroy()
    else response.end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

test('one that answers is there; one that answers again in time was only slow', async () => {
  await using quick = await listen(0)
  await using slow = await listen(3)
  const running = { probe, endReason: () => undefined, enough: never }
  expect(await findSubjectEnd({ ...running, url: quick.url })).toBeUndefined()
  expect(await findSubjectEnd({ ...running, url: slow.url })).toBeUndefined()
})

test('one that does not answer for that long has gone away', async () => {
  await using silent = await listen(Number.POSITIVE_INFINITY)
  const options = { url: silent.url, probe, endReason: () => undefined, enough: never }
  expect(await findSubjectEnd({ ...options, timeoutMs: 300 })).toMatch(
    /^it does not answer at http:\/\/127\.0\.0\.1:\d+ any more \(/,
  )
})

test('how a process ended is returned as soon as it is known, also where a wrapper ends after its service', async () => {
  await using silent = await listen(Number.POSITIVE_INFINITY)
  const exited = new AbortController()
  let asked = 0
  const options = {
    url: silent.url,
    async probe(url: string) {
      const why = await probe(url)
      if (++asked === 2) exited.abort()
      return why
    },
    endReason: () => (exited.signal.aborted ? 'it ended with code 1' : undefined),
    enough: exited.signal,
  }
  expect(await findSubjectEnd(options)).toBe('it ended with code 1')
  expect(asked).toBe(2)
})

test('one that only polls is there as long as its process is', async () => {
  const options = { url: undefined, probe, enough: never }
  expect(await findSubjectEnd({ ...options, endReason: () => undefined })).toBeUndefined()
  expect(await findSubjectEnd({ ...options, endReason: () => 'it was ended by SIGKILL' })).toBe(
    'it was ended by SIGKILL',
  )
})

test('a request without a body announces none: Fastify would answer 400 to it', async () => {
  const met: (string | undefined)[][] = []
  await using server = await listenOnSocket(({ headers }, response) => {
    met.push([headers['content-type'], headers['content-length']])
    response.end()
  })
  const { visit, close } = await createSubjectQueries(
    Configuration.parse({ subject: { url: server.url } }),
  )
  await visit?.({ method: 'POST', path: '/cancel' })
  await visit?.({ method: 'POST', path: '/cancel', body: {} })
  close()
  expect(met).toEqual([
    [undefined, '0'],
    ['application/json', '2'],
  ])
})
