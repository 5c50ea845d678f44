/** What is printed to be typed again: pasted into a shell as it stands, it plays what failed. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { againCommand } from './rerun-command.ts'
import { loadScenarios } from './files.ts'
import { planRuns } from './plan.ts'

async function planned(text: string, file = 's.yaml') {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-again-'))
  writeFileSync(join(cwd, file), `about: b\n${text}`)
  return planRuns(await loadScenarios([`./${file}`], cwd), { base: {}, freshFrom: 70 })
}

/** The words that a shell makes of it. */
const pasted = (command: string): readonly string[] =>
  execFileSync('bash', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

test('a name of several lines, with quotes and what a terminal obeys, is one word on one line', async () => {
  const [one] = await planned('name: "two\\nlines, it\'s \\e[31mred\\\\, $HOME"\n')
  const command = againCommand(one!, { scenario: [] })
  expect(command).not.toMatch(/\p{Cc}/u)
  const title = "two\nlines, it's \u001b[31mred\\, $HOME"
  expect(pasted(command)).toEqual(['sparring', 'run', 's.yaml', '--grep', title, '--seed', '70'])
})

test('a file whose name begins like a flag is named as a file', async () => {
  const [one] = await planned('name: a\n', '-odd.yaml')
  expect(againCommand(one!, { scenario: [] })).toBe('sparring run ./-odd.yaml --grep a --seed 70')
})

test('a run that is wrong only beside another is played again with it, each with its seed', async () => {
  const all = await planned(
    'name: a\nexamples: [{ name: x }, { name: y }]\nvariants: { channels: [polling, webhook] }\n',
  )
  const command = againCommand(all[3]!, { scenario: [] }, all)
  expect(pasted(command)).toEqual(['sparring', 'run', 's.yaml', '--grep', 'a [y, ', '--seed', '72'])
  const seeded = await planned('name: a\nseed: 5\nvariants: { channels: [polling, webhook] }\n')
  expect(againCommand(seeded[0]!, { scenario: [] }, seeded)).toBe(
    "sparring run s.yaml --grep 'a ['",
  )
})
