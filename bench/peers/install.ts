/** Where other mock servers are installed: a folder of their own, since each brings hundreds of packages. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PeerServer } from './catalogue.ts'

const folder = fileURLToPath(new URL('installed', import.meta.url))

/** Installs these servers by npm, each in the version of the catalogue. */
export function installPeers(peers: readonly PeerServer[]): void {
  mkdirSync(folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{"private":true}\n')
  execFileSync(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      ...peers.map((peer) => `${peer.package}@${peer.version}`),
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  )
}

function filesBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? relative(root, join(entry.parentPath, entry.name)) : [],
  )
}

/** The program of a server that is installed; undefined for one that is not. */
export function installedProgram(peer: PeerServer): string | undefined {
  const root = join(folder, 'node_modules', peer.package)
  if (!existsSync(join(root, 'package.json'))) return undefined
  const { program } = peer
  if ('jar' in program) {
    const jar = filesBelow(root).find((file) => program.jar.test(file))
    return jar === undefined ? undefined : join(root, jar)
  }
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly bin?: string | Readonly<Record<string, string>>
  }
  const file = typeof bin === 'string' ? bin : bin?.[program.command]
  return file === undefined ? undefined : join(root, file)
}
