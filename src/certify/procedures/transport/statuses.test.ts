/** Replies 204 of real servers, with and without a body. */
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { expect, test } from 'vitest'
import { prepareSession } from '../../../core/session/session.ts'
import { judgeCheck } from '../../judge/judge-checks.ts'
import { createTrace } from '../../../core/rules/checks/trace.ts'
import { statusChecks } from '../../../core/rules/checks/transport/statuses.ts'

const rawServer = (answer: string): Server =>
  createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', () => socket.write(`HTTP/1.1 204 No Content\r\n${answer}`))
  })

test.each([
  ['passed', 'a body', rawServer('\r\n'), undefined],
  [
    'failed',
    'a Content-Length of a body that Node does not send',
    createHttpServer((_, response) => {
      response.writeHead(204, { 'content-length': '2' })
      response.end('{}')
    }),
    'its 204 has a body of 2 bytes',
  ],
  [
    'failed',
    'the bytes of a body',
    rawServer('Content-Length: 5\r\n\r\nhello'),
    'its 204 has a body of 5 bytes',
  ],
])('[TRN-STA-03] %s: a real reply 204 without or with %s', async (outcome, _, server, problem) => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const role = 'software-service'
  const url = `http://127.0.0.1:${port}`
  const session = await prepareSession({ clock: 'real', listen: false, subject: { role, url } })
  try {
    const exchange = await session.callService({
      as: 'ordering-application',
      operation: 'receiveOrderEvent',
      body: {},
      token: 'none',
    })
    const check = statusChecks.find(
      ({ clauses, roles }) => clauses.includes('TRN-STA-03') && roles.includes(role),
    )
    if (!check) throw new Error('there is no check of TRN-STA-03')
    const trace = createTrace({
      role,
      speaks: 'v2',
      capabilities: ['orders'],
      exchanges: [exchange],
      steps: {},
      notes: [],
      skipped: {},
    })
    const result = judgeCheck(check, trace)
    expect(result.outcome).toBe(outcome)
    expect(result.problems[0]?.text).toBe(problem)
  } finally {
    await session.close()
    server.close()
  }
})
