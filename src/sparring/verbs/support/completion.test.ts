import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bashScript, fishScript, completionContexts, zshScript } from './completion.ts'
import { verbs } from '../catalogue.ts'

const contexts = completionContexts(verbs)
const folder = mkdtempSync(join(tmpdir(), 'sparring-completion-'))
const written = (name: string, script: string): string => {
  const file = join(folder, name)
  writeFileSync(file, script)
  return file
}
const bash = written('completion.bash', bashScript(contexts))

test('the bash script has no syntax errors', () => {
  expect(execFileSync('bash', ['-n', bash], { encoding: 'utf8' })).toBe('')
})

/** The completions of bash for the last word of a line. */
function offered(...words: string[]): readonly string[] {
  const line = ['sparring', ...words]
  const ask = `source ${bash}
COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${line.length - 1}
_sparring
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', ask], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter(Boolean)
}

test.each([
  [[''], 'orders'],
  [['o'], 'orders'],
  [['orders', ''], 'answer-cancellation'],
  [['orders', 'cr'], 'create'],
  [['orders', 'create', '--'], '--items'],
  [['orders', 'create', '--type', ''], 'TAKEOUT'],
  [['orders', 'list', '--status', 'CON'], 'CONCLUDED'],
  [['orders', 'answer-cancellation', 'id-1', ''], 'deny'],
  [['up', ''], 'ordering-application'],
  [['up', '--as', 's'], 'software-service'],
  [['up', '--channel', 'both', '--c'], '--clock'],
  [['events', 'emit', 'id-1', 'READY'], 'READY_FOR_PICKUP'],
  [['completion', ''], 'fish'],
  [['docs', 'webh'], 'webhook'],
  [['agent', 'setup', '--for', ''], 'codex'],
])('bash completes sparring %j with %s', (words, wanted) => {
  expect(offered(...words)).toContain(wanted)
})

test('a context offers only its own verbs, flags and choices', () => {
  expect(offered('up', '--clock', '')).toEqual(['real', 'stepped', 'virtual'])
  expect(offered('orders', 'li')).toEqual(['list'])
  expect(offered('agenda', 'list', '--ty')).toEqual([])
  expect(offered('up', '--config', 'completion.b')).toEqual(['completion.bash'])
})

test.each([
  ['zsh', zshScript(contexts)],
  ['fish', fishScript(contexts)],
])(
  'the %s script names every verb and flag, and has no syntax errors where the shell is installed',
  (shell, script) => {
    for (const { candidates: words } of contexts)
      for (const { word } of words) expect(script).toContain(word.replace(/^--?/, ''))
    const read = spawnSync(shell, ['-n', written(`completion.${shell}`, script)], {
      encoding: 'utf8',
    })
    const missing = read.error && 'code' in read.error && read.error.code === 'ENOENT'
    if (!missing) expect(read).toMatchObject({ status: 0, stderr: '' })
  },
)
