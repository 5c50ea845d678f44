// @module-tag slow
/** `--tls` and `--dialect`, used as in a script: the printed addresses and roles are the served ones. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { runInProcess, startHere } from '../../../test/support/run-in-process.ts'
import { emptyFolder, killAll, type StartedProcess } from '../../../test/support/spawn-sparring.ts'

const started: StartedProcess[] = []
afterEach(() => killAll(started))

interface Ready {
  readonly counterparts: Readonly<Record<string, string>>
  readonly control: string
}

function up(
  args: readonly string[],
  config?: string,
  more: Readonly<Record<string, string>> = {},
): StartedProcess {
  const cwd = emptyFolder()
  if (config !== undefined) writeFileSync(join(cwd, 'sparring.config.yaml'), config)
  const env = { XDG_CONFIG_HOME: cwd, ...more }
  const each = startHere(['up', '--port', '0', '--json', ...args], { env, cwd })
  started.push(each)
  return each
}

const readyOf = async (each: StartedProcess): Promise<Ready> => {
  const text = await each.until((all) => all.includes('\n'))
  return JSON.parse(text.split('\n')[0] ?? '') as Ready
}

/** A Node service that trusts the certificate authority only through NODE_EXTRA_CA_CERTS. */
const fetched = async (url: string, authority?: string): Promise<string> => {
  const script = `fetch(process.argv[1]).then((r) => console.log(r.status), (e) => console.log(e.cause.code))`
  const env = { ...process.env, ...(authority ? { NODE_EXTRA_CA_CERTS: authority } : {}) }
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, url], { env })
  return stdout.trim()
}

test('[DIS-WKN-04, TRN-CON-02] --tls: every counterpart address is https, and the printed CA file suffices to trust it', async () => {
  const each = up(['--tls'])
  const { counterparts, control } = await readyOf(each)
  expect(Object.values(counterparts)).toHaveLength(4)
  for (const url of Object.values(counterparts)) expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  // The control API stays on http: it is used from this machine.
  expect(control).toMatch(/^http:/)
  const [, authority = ''] = /certificate authority: (\S+) /.exec(each.stderr()) ?? []
  expect(each.stderr()).toContain(`NODE_EXTRA_CA_CERTS=${authority} `)
  const manifest = `${counterparts['crm']}/.well-known/protocol`
  expect(await fetched(manifest, authority)).toBe('200')
  expect(await fetched(manifest)).toMatch(/SELF_SIGNED|UNABLE_TO/)
})

test('[TRN-CON-02] --tls keeps the certificates of the configuration file; SPARRING_TLS equals the flag', async () => {
  const each = up(['--tls'], 'tls: { cert: no-such.pem, key: no-such.pem }')
  const { code, stderr } = await each.ended
  expect(code).toBe(2)
  expect(stderr).toMatch(/^sparring: reading the certificate .*no-such\.pem: there is no such file/)
  const { stdout } = await runInProcess(['up', '--help'])
  expect(stdout).toContain('--tls')
  const other = up([], undefined, { SPARRING_TLS: '1' })
  const { counterparts } = await readyOf(other)
  expect(counterparts['crm']).toMatch(/^https:/)
})

test('--dialect: a V1 partner has two roles and the V1 paths', async () => {
  const each = up(['--dialect', 'v1'])
  const { counterparts } = await readyOf(each)
  expect(Object.keys(counterparts)).toEqual(['ordering-application', 'software-service'])
  const base = counterparts['ordering-application']
  expect((await fetch(`${base}/v1/events:polling`)).status).toBe(401)
  expect((await fetch(`${base}/events:polling`)).status).toBe(404)
})

test('--dialect: the flag overrides the dialect of the file; other settings of the file override those of the dialect', async () => {
  const file = [
    'dialect: loocal',
    'conduct: { unlistedMethod: 405 }',
    'protocol: { version: v1.6.0 }',
  ]
  const each = up(['--dialect', 'pedizap'], file.join('\n'))
  const { counterparts } = await readyOf(each)
  const base = counterparts['ordering-application']
  expect((await fetch(`${base}/v1/events`)).status).toBe(401)
  expect((await fetch(`${base}/auth/token`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${base}/v1/events`, { method: 'POST' })).status).toBe(405)
})

test('--dialect: an unknown dialect is rejected with the list of known ones', async () => {
  const { code, stderr } = await runInProcess(['up', '--dialect', 'klingon'])
  expect(code).toBe(2)
  expect(stderr).toContain('klingon')
  expect(stderr).toContain('pedizap')
})
