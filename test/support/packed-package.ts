/**
 * The package as `npm pack` makes it, unpacked in an empty folder with its declared dependencies, as npm would install
 * it.
 */
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testedPackage } from './tested-command.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface PackedPackage extends Disposable {
  /** In whose node_modules it is. */
  readonly folder: string
  readonly tarball: string
  /** Links a package that a user would install beside it, without network. */
  readonly link: (name: string) => void
}

export function installPackedPackage({ withTypes = false } = {}): PackedPackage {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-pack-'))
  const modules = join(folder, 'node_modules')
  function link(name: string): void {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  // Packs the global build; the prepack script would only build the same again.
  const built = testedPackage()
  if (withTypes)
    execFileSync(process.execPath, [join(root, 'bin/build/types.ts'), join(built, 'dist')])
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  execFileSync('npm', args, { cwd: built })
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
  execFileSync('tar', ['-xzf', tarball, '-C', folder])
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  mkdirSync(modules)
  renameSync(join(folder, 'package'), join(modules, 'sparring'))
  const manifest = readFileSync(join(modules, 'sparring', 'package.json'), 'utf8')
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> }
  // Undeclared dependencies are not linked.
  for (const name of Object.keys(dependencies)) link(name)
  return {
    folder,
    tarball,
    link,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
