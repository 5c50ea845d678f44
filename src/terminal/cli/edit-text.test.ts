import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder } from '../../../test/support/spawn-sparring.ts'
import { createEditText, editorOf } from './edit-text.ts'

/** A scripted editor that writes down the path of the file, and the permissions of the file and its folder. */
function editor(script: string): string {
  const file = join(emptyFolder(), 'my editor')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o700)
  return `'${file}'`
}

const edit = (name: string, text = 'before\n', env: Readonly<Record<string, string>> = {}) =>
  createEditText({ env: { EDITOR: name, ...env }, lend: (to) => to() })(text, 'CONFIRMED.json')

test('the saved text is returned, and the private temporary folder is deleted', async () => {
  const reportFile = join(emptyFolder(), 'told')
  const name = editor(
    `echo "$1" > ${reportFile}; stat -c %a "$1" "$(dirname "$1")" >> ${reportFile}; printf after > "$1"`,
  )
  expect(await edit(name)).toEqual({ ok: true, value: 'after' })
  const [file = '', fileMode, folderMode] = readFileSync(reportFile, 'utf8').split('\n')
  expect(file).toMatch(/CONFIRMED\.json$/)
  expect([fileMode, folderMode]).toEqual(['600', '700'])
  expect(() => statSync(dirname(file))).toThrow('ENOENT')
})

test('the editor command may have arguments', async () => {
  const name = editor('test "$1" = --wait && printf "%s" "$1" > "$2"')
  expect(await edit(`${name} --wait`)).toEqual({ ok: true, value: '--wait' })
})

test('$VISUAL wins over $EDITOR, and without both there is a default', async () => {
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

test('after a failed editor the temporary folder is deleted too', async () => {
  const reportFile = join(emptyFolder(), 'told')
  expect((await edit(editor(`echo "$1" > ${reportFile}; exit 3`))).ok).toBe(false)
  expect(() => statSync(dirname(readFileSync(reportFile, 'utf8').trim()))).toThrow('ENOENT')
})
