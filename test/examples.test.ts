// @module-tag slow
/**
 * The services of `examples/` in four languages: the test of each, by the command of its README, and once more with a copy of
 * the service that verifies no signature, or makes a mistake that it offers, in the nightly: these copies change with no code of
 * ours. Languages that are compiled take ten seconds and more: they are tested in a soak.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { isSoak } from './support/soak.ts'
import { testedCommand } from './support/tested-command.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'sparring-examples-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

interface Example {
  readonly folder: string
  readonly tool: string
  /** The Debian package that brings the tool. */
  readonly debian: string
  readonly isCompiled?: true
  /** The check of the signature, and what stands in its place when every signature is accepted. */
  readonly signature?: { readonly file: string; readonly from: string; readonly to: string }
  /** What its test says of each mistake that the variable MISTAKE names. */
  readonly mistakes?: Readonly<Record<string, RegExp>>
}

const examples: readonly Example[] = [
  {
    folder: 'node-express',
    tool: 'node',
    debian: 'nodejs',
    signature: {
      file: 'service.js',
      from: 'received.length === expected.length && timingSafeEqual(received, expected)',
      to: 'true',
    },
  },
  {
    folder: 'node-sqlite',
    tool: 'node',
    debian: 'nodejs',
    mistakes: {
      'no-unique-key': /✖ an event that comes twice [^]*2 !== 1/,
      'acknowledges-first': /✖ killed before its acknowledgment [^]*the order is CREATED, not/,
    },
  },
  {
    folder: 'python',
    tool: 'python3',
    debian: 'python3',
    signature: {
      file: 'service.py',
      from: 'hmac.compare_digest(expected.encode(), (signature or "").lower().encode())',
      to: 'True',
    },
  },
  {
    folder: 'go',
    tool: 'go',
    debian: 'golang-go',
    isCompiled: true,
    signature: {
      file: 'service.go',
      from: 'hmac.Equal(received, mac.Sum(nil))',
      to: 'hmac.Equal(received, received)',
    },
  },
  {
    folder: 'java',
    tool: 'javac',
    debian: 'default-jdk-headless',
    isCompiled: true,
    signature: {
      file: 'Service.java',
      from: 'MessageDigest.isEqual(mac.doFinal(body), HexFormat.of().parseHex(signature))',
      to: 'true',
    },
  },
]

const environment = {
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
  SPARRING: `${process.execPath} ${testedCommand()}`,
  HOME: home,
  XDG_STATE_HOME: home,
  GOCACHE: join(home, 'go-build'),
  GOPROXY: 'off',
  PYTHONDONTWRITEBYTECODE: '1',
}

const isInstalled = (tool: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${tool}`], { env: environment }).status === 0

const commandOf = (folder: string): string =>
  /```sh\n(.*)\n```/.exec(readFileSync(join(root, 'examples', folder, 'README.md'), 'utf8'))?.[1] ??
  'exit 99'

async function run([file = '', ...args]: readonly string[], cwd: string, more = {}) {
  const child = spawn(file, args, { cwd, env: { ...environment, ...more } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()))
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, output }
}

/** Runs the test of an example in a copy of it, below `home`. */
async function runExample(
  { folder }: Example,
  { broken, MISTAKE = '' }: { broken?: Example['signature']; MISTAKE?: string } = {},
) {
  const copy = mkdtempSync(join(home, `${folder}-`))
  cpSync(join(root, 'examples', folder), copy, { recursive: true })
  if (folder.startsWith('node-'))
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  if (broken) {
    const { file, from, to } = broken
    const source = readFileSync(join(copy, file), 'utf8')
    expect(source).toContain(from)
    writeFileSync(join(copy, file), source.replace(from, to))
  }
  return run(['sh', '-c', commandOf(folder)], copy, { MISTAKE })
}

test
  .skipIf(!isInstalled('python3'))
  .concurrent(
    'the Python program of docs/http.md ends with 3, and says that no service has come',
    async () => {
      const page = readFileSync(join(root, 'docs/http.md'), 'utf8')
      const [, program = ''] = /```python\n([^]*?)\n```/.exec(page) ?? []
      const start = JSON.stringify(environment.SPARRING.split(' ')).slice(1, -1)
      const { code, output } = await run(
        ['python3', '-c', program.replace('"npx", "sparring"', start)],
        home,
      )
      expect({ code, output }).toMatchObject({ code: 3 })
      expect(output.replace(/^http:\S+/, 'http://…').split('\n')).toEqual([
        'http://…',
        "['the order is CREATED, not CONFIRMED', 'Waiting for your service to connect …']",
        'Waiting for your service to connect …',
        expect.stringMatching(/^verdicts {2}0 passed, 0 failed, \d+ not exercised$/),
        '',
      ])
    },
  )

for (const example of examples) {
  const { folder, tool, debian, isCompiled, signature, mistakes = {} } = example
  const reason = !isInstalled(tool)
    ? `not tested, since ${tool} is not on the path: install ${debian}, or run examples/install-toolchains.sh`
    : isCompiled && !isSoak
      ? 'not tested, since it is compiled: npm run soak does'
      : undefined
  test
    .skipIf(reason !== undefined)
    .concurrent(
      `the example in ${folder} passes its own test against Sparring${reason ? ` (${reason})` : ''}`,
      async () => {
        const { code, output } = await runExample(example)
        expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
      },
    )
  for (const [MISTAKE, says] of Object.entries(mistakes))
    test.concurrent(
      `the test in ${folder} fails with ${MISTAKE}, and shows what came of it`,
      { tags: ['nightly'] },
      async () => {
        const { code, output } = await runExample(example, { MISTAKE })
        expect(code).not.toBe(0)
        expect(output).toMatch(says)
      },
    )
  if (!signature) continue
  test
    .skipIf(reason !== undefined)
    .concurrent(
      `the test in ${folder} fails when the service verifies no signature, and shows the broken rule${reason ? ` (${reason})` : ''}`,
      { tags: ['nightly'] },
      async () => {
        const { code, output } = await runExample(example, { broken: signature })
        expect(code).not.toBe(0)
        expect(output).toContain('1 rule is broken.')
        expect(output).toMatch(/WH-3 failed: The service answered a forged webhook of o1 with 204/)
      },
    )
}
