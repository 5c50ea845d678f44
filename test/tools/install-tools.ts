/** Installs the packages of `test/tools/package-lock.json`, unless they are there as it says. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const lock = `${folder}package-lock.json`
/** A copy of the lock file that the installed packages were taken from. */
const installedLock = `${folder}node_modules/.installed-lock.json`

export function installTools(): void {
  const wanted = readFileSync(lock, 'utf8')
  if (existsSync(installedLock) && readFileSync(installedLock, 'utf8') === wanted) return
  process.stderr.write('installing test/tools…\n')
  const shell = process.platform === 'win32'
  const { status } = spawnSync('npm', ['ci'], { cwd: folder, stdio: 'inherit', shell })
  if (status !== 0) throw new Error(`npm ci in ${folder} failed`)
  writeFileSync(installedLock, wanted)
}
