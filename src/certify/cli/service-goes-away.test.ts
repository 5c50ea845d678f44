// @module-tag slow
/** A service that is gone for good ends its certification, which blames no clause for it; one that comes back does not. */
import { afterEach, expect, test } from 'vitest'
import { openBareService } from '../../../test/support/bare-service.ts'
import { listenOnSocket } from '../../../test/support/on-socket.ts'
import { words } from '../../../test/support/shell-words.ts'
import {
  killAll,
  type StartedProcess,
  startProgram,
  startSparring,
} from '../../../test/support/spawn-sparring.ts'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'

const started: StartedProcess[] = []
afterEach(() => killAll(started))
const track = (each: StartedProcess): StartedProcess => (started.push(each), each)

const certify = (url: string, ...args: readonly string[]) =>
  track(startSparring(['certify', url, '--plain', ...args], { env: { SPARRING_PORT: '0' } }))
const sleep = (ms: number): Promise<void> => abortableSleep(ms, new AbortController().signal)

/** Answers 404 to everything, until it is taken away for a time. */
async function openAbsentee() {
  let service = await openBareService({})
  const { url } = service
  return {
    url,
    async leave(ms: number) {
      await service[Symbol.asyncDispose]()
      await sleep(ms)
      service = await openBareService({}, { port: Number(new URL(url).port) })
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

test('a service that is killed ends it at once with 3, and no clause is blamed for what came after', async () => {
  const source = `const s = require('node:http').createServer((_, r) => r.writeHead(404).end())
    s.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + s.address().port + ' '))`
  const service = track(startProgram({ file: process.execPath, args: ['-e', source], env: {} }))
  const url = (await service.until((text) => text.endsWith(' \n'))).trim()
  const run = certify(
    url,
    ...words`--as software-service --only AUT-TOK-04,ORD-OPS-01 --bundle b.tar`,
  )
  await run.until((text) => text.includes('ok    introduction'))
  service.kill('SIGKILL')
  const { code, stdout } = await run.ended
  expect(code).toBe(3)
  expect(stdout).toMatch(
    /ended before its time: your service went away in [a-z-]+: it does not answer at http:\S+ any more \(ECONNREFUSED\)\. Look why/,
  )
  expect(stdout).toContain(': incomplete, ')
  expect(stdout).not.toMatch(/FAIL|warn |ok {4}(?!introduction)/)
}, 60_000)

test('a service that is away for 3 s is certified to the end', async () => {
  await using service = await openAbsentee()
  const run = certify(service.url, ...words`--as crm --only DIS-WKN-01,AUT-GEN-02`)
  await run.until((text) => text.includes('ok    introduction'))
  await service.leave(3000)
  const { code, stdout } = await run.ended
  expect(stdout).not.toContain('ended before its time')
  expect(stdout).toMatch(/(ok|skip) {2,4}access/)
  expect(code).not.toBe(3)
}, 60_000)

test('a service that --setup restarts may be away for longer', async () => {
  await using service = await openAbsentee()
  let asked = 0
  await using operator = await listenOnSocket((_, response) => {
    void (asked++ === 0 ? service.leave(15_000) : sleep(0)).then(() =>
      response.writeHead(500).end(),
    )
  })
  const setup = `curl --silent --fail ${operator.url}`
  const only = words`--as ordering-application --only DIS-WKN-01,ORD-OPS-05 --setup`
  const { code, stdout } = await certify(service.url, ...only, setup).ended
  expect(asked).toBeGreaterThan(0)
  expect(stdout).toContain('ok    unknown-order')
  expect(stdout).not.toContain('ended before its time')
  expect(code).not.toBe(3)
}, 90_000)
