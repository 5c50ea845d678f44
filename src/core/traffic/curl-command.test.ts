import { execFileSync, execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { curlCommand } from './curl-command.ts'
import { listenOnSocket } from '../../../test/support/on-socket.ts'

const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version'])
    return true
  } catch {
    return false
  }
})()

test.runIf(hasCurl)(
  'a shell sends it as it was: method, path, headers, body with every quote',
  async () => {
    const received: { method?: string; url?: string; headers: unknown; body: string }[] = []
    await using server = await listenOnSocket((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const { method = '', url = '', headers } = request
        received.push({ method, url, headers, body })
        response.end()
      })
    })
    const body = `{"note":"it's $HOME \`x\` \\"quoted\\"","name":"Heloísa"}`
    const command = curlCommand({
      request: {
        method: 'PUT',
        url: `${server.url}/v2/orders/[a]?q={1}&b=2`,
        headers: [
          ['Host', 'elsewhere'],
          ['Authorization', 'Bearer abc'],
          ['Content-Type', 'application/json'],
          ['X-Empty', ''],
          ['Content-Length', '3'],
        ],
        body,
      },
    })
    await promisify(execFile)('sh', ['-c', command])
    expect(received).toMatchObject([
      {
        method: 'PUT',
        url: '/v2/orders/[a]?q={1}&b=2',
        body,
        headers: {
          host: new URL(server.url).host,
          authorization: 'Bearer abc',
          'content-type': 'application/json',
          'x-empty': '',
        },
      },
    ])
  },
)

test('what curl sets itself is left out, and a body without a type stays without', () => {
  const text = curlCommand({
    request: { method: 'POST', url: 'http://a/b', headers: [['Connection', 'close']], body: 'x' },
  })
  expect(text).toBe(
    `curl --globoff --path-as-is --request 'POST' \\\n  --header 'Content-Type:' \\\n  --data-raw 'x' \\\n  'http://a/b'`,
  )
})
