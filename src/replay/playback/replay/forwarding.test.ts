/** Calls that a recording does not have are passed on, for a service in this process too. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { webhookRecording } from '../../../../test/support/webhook-recording.ts'
import { openPlayback } from './replay.ts'
import { listenOnSocket } from '../../../../test/support/on-socket.ts'

/** A partner with a token that it takes back after its first use. */
async function openPartner(
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    void response
      .writeHead(
        200,
        [
          ['x-of', 'the partner'],
          ['x-of', 'twice'],
        ].flat(),
      )
      .end('[]'),
) {
  const seen: string[] = []
  let tokens = 0
  const server = await listenOnSocket((request, response) => {
    const { url = '', headers } = request
    seen.push(`${url} ${headers.authorization ?? 'without token'}`)
    if (url === '/api/oauth/token') {
      const token = { access_token: `token-${++tokens}`, expires_in: 3600 }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token))
    } else if (headers.authorization === 'Bearer token-1' && seen.length > 2)
      response.writeHead(401).end()
    else answer(request, response)
  })
  return { ...server, url: `${server.url}/api/`, seen }
}

/** A service in this process, whose calls are answered from an empty recording. */
async function openAnswered(forward: string) {
  const playback = await openPlayback({
    recording: webhookRecording(0),
    serves: {},
    answers: { onMiss: { forward } },
    listen: false,
    capabilities: { indoor: false, logistics: false, customer: false },
  })
  const running = playback.run()
  const base = playback.session.urls.get('ordering-application') ?? ''
  const call = (path: string, init?: RequestInit): Promise<Response> =>
    playback.session.fetch(new Request(`${base}${path}`, init))
  return {
    call,
    async token(): Promise<string> {
      const form = {
        grant_type: 'client_credentials',
        client_id: 'subject',
        client_secret: 'secret',
      }
      const issued = await call('/oauth/token', { method: 'POST', body: new URLSearchParams(form) })
      return ((await issued.json()) as { access_token: string }).access_token
    },
    async [Symbol.asyncDispose]() {
      playback.stop()
      await running
      await playback.close()
    },
  }
}

test('the path of the partner goes before that of the call, and a refused token is renewed once', async () => {
  await using partner = await openPartner()
  await using service = await openAnswered(partner.url)
  const headers = { authorization: `Bearer ${await service.token()}` }
  const first = await service.call('/merchants?limit=1', { headers })
  expect([first.status, await first.text(), first.headers.get('x-of')]).toEqual([
    200,
    '[]',
    'the partner, twice',
  ])
  expect((await service.call('/merchants', { headers })).status).toBe(200)
  expect(partner.seen).toEqual([
    '/api/oauth/token without token',
    '/api/merchants?limit=1 Bearer token-1',
    '/api/merchants Bearer token-1',
    '/api/oauth/token without token',
    '/api/merchants Bearer token-2',
  ])
})

test('what is no operation is passed on as well, and what the host refuses is not', async () => {
  await using partner = await openPartner()
  await using service = await openAnswered(partner.url)
  expect((await service.call('/no/operation', { method: 'PUT', body: 'x' })).status).toBe(200)
  expect(
    (await service.call('/merchants', { headers: { authorization: 'Bearer old' } })).status,
  ).toBe(401)
  expect(partner.seen).toEqual(['/api/no/operation without token'])
})

test('an answer that never comes whole is a 502', async () => {
  await using partner = await openPartner((_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half')
    response.destroy()
  })
  await using service = await openAnswered(partner.url)
  const { status } = await service.call('/no/operation')
  expect(status).toBe(502)
})
