/** Who has a port: found by real sockets on Linux, and read from what other systems print. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canNamePortHolders, inUseText } from '../../../../test/support/port-holders.ts'
import { registerSession } from '../registry/session-registry.ts'
import { listenFailure } from './listen-problem.ts'
import {
  holderInLsof,
  holderOnLinux,
  listeningSockets,
  pidInNetstat,
  portHolder,
  programOfUser,
} from './port-holder.ts'

/** What is said of a port that is in use. */
const inUse = async (port: number): Promise<string> =>
  (await listenFailure(port, Object.assign(new Error('taken'), { code: 'EADDRINUSE' }))).join('. ')

/** A program that listens on a port, while `act` looks for it. */
async function withListener(
  host: string,
  act: (port: number, pid: number | undefined) => Promise<void>,
): Promise<void> {
  const script = `require('node:net').createServer().listen(0, '${host}', function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['--eval', script, 'server.js', '--fast'])
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    await act(Number(String(port)), child.pid)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

test.each(['127.0.0.1', '::1'])(
  'a program that listens on %s is named, with its arguments',
  async (host) => {
    await withListener(host, async (port, pid) => {
      const name = String.raw`node --eval require.*… \(pid ${pid}\)`
      const message = await inUse(port)
      expect(message).toMatch(new RegExp(`${inUseText(name, `kill ${pid}`)} choose others`))
    })
  },
)

test('a session of this user is named with the command that stops it', async () => {
  const before = process.env['XDG_STATE_HOME']
  process.env['XDG_STATE_HOME'] = mkdtempSync(join(tmpdir(), 'sparring-holder-'))
  try {
    const written = await registerSession(
      { verb: 'up', counterparts: { crm: 'http://127.0.0.1:7104' } },
      '/work',
    )
    const message = await inUse(7104)
    const session = String.raw`the sparring session since \d\d:\d\d \(pid ${process.pid}\)`
    expect(message).toMatch(
      new RegExp(`in use by ${session}\\. Stop it with: sparring stop ${process.pid}; or choose`),
    )
    if (written.ok) written.value.remove()
    const control = 'http://127.0.0.1:7108'
    const hosted = await registerSession({ verb: 'mcp', control, counterparts: {} }, '/work')
    // The process serves an agent.
    expect(await inUse(7108)).toContain(`Stop it with: sparring stop ${control}; or choose`)
    if (hosted.ok) hosted.value.remove()
  } finally {
    process.env['XDG_STATE_HOME'] = before
  }
})

test('a port that nobody has, or whose holder cannot be seen, still gives a remedy', async () => {
  expect(await portHolder(1)).toBeUndefined()
  expect(await inUse(1)).toBe(
    'the port is in use. Stop what uses it; or choose others with --port <n>; --port 0 finds free ones.',
  )
})

test.runIf(process.platform === 'linux' && canNamePortHolders())(
  'a row that is missing from the table of the kernel at first is looked for again',
  async () => {
    await withListener('127.0.0.1', async (port, pid) => {
      let reads = 0
      const lateTable = (file: string): string => {
        reads += 1
        return reads <= 6 ? '' : readFileSync(file, 'utf8')
      }
      expect(await holderOnLinux(port, lateTable)).toMatchObject({ stop: `kill ${pid}` })
    })
  },
)

test('a program of another user is not to be seen, but its user is', () => {
  expect(programOfUser(33, 1000)).toEqual({ name: 'a program of another user (uid 33)' })
  expect(programOfUser(1000, 1000)).toBeUndefined()
})

test('listening sockets are found in the table of the kernel, and connections are not', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1BBC 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1',
    '   1: 0100007F:1BBC 0100007F:D000 01 00000000:00000000 00:00000000 00000000  1000        0 222 1',
    '   2: 0100007F:1BBD 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 333 1',
  ].join('\n')
  expect(listeningSockets(table, 7100)).toEqual([{ inode: '111', uid: 1000 }])
})

test('the output of lsof and of netstat names the process', () => {
  expect(holderInLsof('p123\ncnode\nf20\n')).toEqual({ pid: 123, command: 'node' })
  expect(holderInLsof('p123\ng1\ncCode Helper\nf20\n')).toEqual({
    pid: 123,
    command: 'Code Helper',
  })
  expect(holderInLsof('')).toBeUndefined()
  const netstat = [
    'Aktive Verbindungen',
    '  Proto  Lokale Adresse         Remoteadresse          Status           PID',
    '  TCP    127.0.0.1:7100         127.0.0.1:51000        HERGESTELLT      99',
    '  TCP    127.0.0.1:7100         0.0.0.0:0              ABHÖREN          4711\r',
    '  TCP    [::]:17100             [::]:0                 ABHÖREN          12',
  ].join('\n')
  expect(pidInNetstat(netstat, 7100)).toBe(4711)
  expect(pidInNetstat(netstat, 7101)).toBeUndefined()
})
