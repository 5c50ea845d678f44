/** A configuration folder that holds the public redaction key of the committed recordings. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demonstrationKey } from './recorded-stories.ts'
import { emptyFolder } from './spawn-sparring.ts'

export function demonstrationKeyFolder(): string {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'sparring'), { mode: 0o700 })
  writeFileSync(join(folder, 'sparring', 'redaction.key'), `${demonstrationKey}\n`, { mode: 0o600 })
  return folder
}
