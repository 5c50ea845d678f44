/** The rerun command, pasted into a shell, plays the failed run. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rerunCommand } from './rerun-command.ts'
import { loadScenarios } from './load-scenarios.ts'
import { planRuns } from './plan.ts'

async function planned(text: string, file = 's.yaml') {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-again-'))
  writeFileSync(join(cwd, file), `about: b\n${text}`)
  return planRuns(await loadScenarios([`./${file}`], cwd), { base: {}, freshFrom: 70 }).runs
}

/** The words that a shell splits the command into. */
const pasted = (command: string): readonly string[] =>
  execFileSync('bash', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

test('a title with newlines, quotes and control characters becomes one shell word on one line', async () => {
  const [one] = await planned('name: "two\\nlines, it\'s \\e[31mred\\\\, $HOME"\n')
  const command = rerunCommand(one!, { scenario: [] })
  expect(command).not.toMatch(/\p{Cc}/u)
  const title = "two\nlines, it's \u001b[31mred\\, $HOME"
  expect(pasted(command)).toEqual(['sparring', 'run', 's.yaml', '--grep', title, '--seed', '70'])
})

test('a file name that begins like a flag is prefixed with ./', async () => {
  const [one] = await planned('name: a\n', '-odd.yaml')
  expect(rerunCommand(one!, { scenario: [] })).toBe('sparring run ./-odd.yaml --grep a --seed 70')
})

test('a run that differs from its group is rerun with the group, each run with its seed', async () => {
  const all = await planned(
    'name: a\nexamples: [{ name: x }, { name: y }]\nvariants: { channels: [polling, webhook] }\n',
  )
  const command = rerunCommand(all[3]!, { scenario: [] }, all)
  expect(pasted(command)).toEqual(['sparring', 'run', 's.yaml', '--grep', 'a [y, ', '--seed', '72'])
  const seeded = await planned('name: a\nseed: 5\nvariants: { channels: [polling, webhook] }\n')
  expect(rerunCommand(seeded[0]!, { scenario: [] }, seeded)).toBe(
    "sparring run s.yaml --grep 'a ['",
  )
})
