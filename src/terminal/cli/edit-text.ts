/**
 * Opens a text in the user's editor: `$VISUAL`, else `$EDITOR`, else the default of the platform. The text is kept in a
 * temporary folder (mode 700) that only the user can read, and that is deleted when the editor closes.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DashboardPorts } from '../dashboard/effects/ports.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Io } from './io.ts'

interface EditorOptions {
  readonly env: Io['env']
  /** Lends the terminal to the editor, which then receives all keys, Ctrl-C included. */
  readonly lend: <Value>(to: () => Promise<Value>) => Promise<Value>
  readonly platform?: NodeJS.Platform
}

const nonEmpty = (name: string | undefined): string | undefined =>
  name === undefined || name.trim() === '' ? undefined : name

export const editorOf = (env: Io['env'], platform: NodeJS.Platform): string =>
  nonEmpty(env['VISUAL']) ?? nonEmpty(env['EDITOR']) ?? (platform === 'win32' ? 'notepad' : 'vi')

/**
 * The editor may be a command with arguments, `code --wait`, so a shell parses it, as git does. Ctrl-C reaches the
 * shell as well and must not end it before the editor: hence `trap`.
 */
function runEditor(editor: string, file: string, platform: NodeJS.Platform): Promise<number> {
  const child =
    platform === 'win32'
      ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' })
      : spawn('/bin/sh', ['-c', `trap : INT; ${editor} "$@"`, editor, file], { stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 0 : 1)))
  })
}

/** The exit code of a shell for an unknown command. */
const commandNotFoundCode = 127

async function editFile(
  file: string,
  text: string,
  editor: string,
  platform: NodeJS.Platform,
): Promise<Result<string, string>> {
  await writeFile(file, text, { mode: 0o600, flag: 'wx' })
  const code = await runEditor(editor, file, platform)
  if (code === commandNotFoundCode)
    return err(`there is no editor "${editor}": name yours in $VISUAL or $EDITOR`)
  if (code !== 0) return err(`${editor} ended with code ${code}: nothing was changed`)
  return ok(await readFile(file, 'utf8'))
}

export function createEditText({
  env,
  lend,
  platform = process.platform,
}: EditorOptions): NonNullable<DashboardPorts['editText']> {
  return async (text, name) => {
    const folder = await mkdtemp(join(tmpdir(), 'sparring-edit-'))
    const editor = editorOf(env, platform)
    try {
      return await lend(() => editFile(join(folder, name), text, editor, platform))
    } catch (error) {
      return err(
        `${editor} could not be used: ${error instanceof Error ? error.message : String(error)}`,
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}
