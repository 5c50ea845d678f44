import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder } from '../../test/support/spawn-sparring.ts'
import { createEditText, editorOf } from './edit-text.ts'

/** An editor that is a script: it tells where the file lies, and what the file and its folder allow. */
function editor(script: string): string {
  const file = join(emptyFolder(), 'my editor')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o700)
  return `'${file}'`
}

const edit = (name: string, text = 'before\n', env: Readonly<Record<string, string>> = {}) =>
  createEditText({ env: { EDITOR: name, ...env }, lend: (to) => to() })(text, 'CONFIRMED.json')

test('what the editor leaves in the file comes back, and nothing stays behind', async () => {
  const told = join(emptyFolder(), 'told')
  const name = editor(
    `echo "$1" > ${told}; stat -c %a "$1" "$(dirname "$1")" >> ${told}; printf after > "$1"`,
  )
  expect(await edit(name)).toEqual({ ok: true, value: 'after' })
  const [file = '', fileMode, folderMode] = readFileSync(told, 'utf8').split('\n')
  expect(file).toMatch(/CONFIRMED\.json$/)
  expect([fileMode, folderMode]).toEqual(['600', '700'])
  expect(() => statSync(dirname(file))).toThrow('ENOENT')
})

test('it may have arguments of its own', async () => {
  const name = editor('test "$1" = --wait && printf "%s" "$1" > "$2"')
  expect(await edit(`${name} --wait`)).toEqual({ ok: true, value: '--wait' })
})

test('$VISUAL goes before $EDITOR, and there is always one', async () => {
  const visual = editor('printf visual > "$1"')
  expect(await edit('false', 'x', { VISUAL: visual })).toEqual({ ok: true, value: 'visual' })
  expect(editorOf({}, 'linux')).toBe('vi')
  expect(editorOf({ VISUAL: ' ', EDITOR: '' }, 'win32')).toBe('notepad')
})

test.each([
  ['false', 'false ended with code 1: nothing was changed'],
  ['no-such-editor', 'there is no editor "no-such-editor": name yours in $VISUAL or $EDITOR'],
  [editor('rm "$1"'), expect.stringContaining('could not be used: ENOENT')],
])('an editor that fails changes nothing: %s', async (name, error) => {
  expect(await edit(name)).toEqual({ ok: false, error })
})

test('an editor that fails leaves nothing behind either', async () => {
  const told = join(emptyFolder(), 'told')
  expect((await edit(editor(`echo "$1" > ${told}; exit 3`))).ok).toBe(false)
  expect(() => statSync(dirname(readFileSync(told, 'utf8').trim()))).toThrow('ENOENT')
})
