/**
 * `npm run cases`: plays inputs that once failed, one folder each, through the built command as its user would. `case.sh` runs in a
 * copy of its folder; `expected.txt` is what it prints: a line between slashes is a regular expression, any other is a text.
 * Arguments choose folders by a part of their names: `npm run cases -- yaml curl`.
 *
 * A case has `$SPARRING` (the command), `$PORT` (the first of 40 ports that no other case uses), `$TOOLS` (what several cases use)
 * and an empty home.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { deviationOf } from './expected-lines.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const command = fileURLToPath(new URL('../../bin/sparring.js', import.meta.url))
const parts = process.argv.slice(2)
const names = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, 'case.sh')))
  .filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)))
  .toSorted()

/** What a case prints; it is ended after two minutes. */
function play(name: string, port: number): string {
  const copy = mkdtempSync(join(tmpdir(), 'sparring-case-'))
  try {
    cpSync(join(folder, name), copy, { recursive: true })
    const { stdout, stderr, error } = spawnSync('sh', ['case.sh'], {
      cwd: copy,
      encoding: 'utf8',
      timeout: 120_000,
      env: {
        ...process.env,
        PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        HOME: copy,
        XDG_STATE_HOME: copy,
        NO_COLOR: '1',
        SPARRING: `${process.execPath} ${command}`,
        PORT: String(port),
        TOOLS: join(folder, 'tools'),
      },
    })
    return `${stdout}${error ? `${error.message}\n${stderr}` : ''}`
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

let failed = 0
for (const [index, name] of names.entries()) {
  const printed = play(name, 21_000 + (process.pid % 100) * 40 + index * 40)
  const expected = readFileSync(join(folder, name, 'expected.txt'), 'utf8')
  const deviation = deviationOf(printed, expected)
  if (deviation !== undefined) failed++
  process.stdout.write(`${deviation === undefined ? 'ok' : 'FAILED'} ${name}\n${deviation ?? ''}`)
}
process.stdout.write(`${names.length} cases, ${failed} failed\n`)
process.exitCode = failed > 0 || names.length === 0 ? 1 : 0
