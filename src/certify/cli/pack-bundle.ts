/** Packs the files of a bundle into an archive, and unpacks it; the same files give the same bytes. */
import { createHash } from 'node:crypto'
import { packTar, unpackTar } from 'modern-tar'
import { BundleManifest, bundleFiles } from '../judge/bundle.ts'
import type { Role } from '../../core/protocol/role.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** The files of a bundle but its manifest, by name. */
export type BundleContent = ReadonlyMap<string, Uint8Array>

export interface BundleHead {
  readonly version: string
  readonly role: Role
  readonly startedAt: number
}

export function packBundle(
  content: BundleContent,
  { version, role, startedAt }: BundleHead,
): Promise<Uint8Array> {
  const names = [...content.keys()].toSorted()
  const named = {
    form: 1 as const,
    product: { name: 'sparring' as const, version },
    role,
    startedAt,
    files: Object.fromEntries(
      names.map((name) => [name, sha256(content.get(name) ?? new Uint8Array())]),
    ),
  }
  const manifest: BundleManifest = {
    ...named,
    digest: sha256(Buffer.from(JSON.stringify(named))),
  }
  const first = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  const entryOf = (name: string, data: Uint8Array) => ({
    header: {
      name,
      size: data.length,
      type: 'file' as const,
      mode: 0o644,
      mtime: new Date(Math.floor(startedAt / 1000) * 1000),
      uid: 0,
      gid: 0,
    },
    body: data,
  })
  return packTar([
    entryOf(bundleFiles.manifest, first),
    ...names.map((name) => entryOf(name, content.get(name) ?? new Uint8Array())),
  ])
}

export interface UnpackedBundle {
  readonly manifest: BundleManifest
  readonly content: BundleContent
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  Buffer.compare(Buffer.from(one), Buffer.from(other)) === 0

/** The files of an archive; what is wrong where a byte of it is not as it was packed. */
export async function unpackBundle(archive: Uint8Array): Promise<Result<UnpackedBundle, string>> {
  let entries
  try {
    entries = await unpackTar(archive, { strict: true })
  } catch (error) {
    return err(
      `it is no whole tar archive (${error instanceof Error ? error.message : 'unreadable'})`,
    )
  }
  const all = new Map(entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]))
  const first = all.get(bundleFiles.manifest)
  if (!first) return err(`it has no ${bundleFiles.manifest}: it is no bundle of sparring certify`)
  let read: unknown
  try {
    read = JSON.parse(Buffer.from(first).toString('utf8'))
  } catch {
    return err(`its ${bundleFiles.manifest} is no JSON`)
  }
  const parsed = BundleManifest.safeParse(read)
  if (!parsed.success)
    return err(`its ${bundleFiles.manifest} is none of a bundle, or of a newer version of sparring`)
  const manifest = parsed.data
  const content = new Map([...all].filter(([name]) => name !== bundleFiles.manifest))
  for (const [name, hash] of Object.entries(manifest.files)) {
    const bytes = content.get(name)
    if (!bytes) return err(`${name} is not in it, though its manifest names it`)
    if (sha256(bytes) !== hash)
      return err(`${name} was changed: its SHA-256 is not that of the manifest`)
  }
  const packed = await packBundle(content, { ...manifest, version: manifest.product.version })
  return sameBytes(packed, archive)
    ? ok({ manifest, content })
    : err('bytes between its files were changed, or it has more files than its manifest names')
}
