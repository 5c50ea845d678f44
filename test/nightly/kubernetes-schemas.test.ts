/**
 * The manifests of examples/kubernetes against the published schemas of Kubernetes, which kubernetes-models has
 * compiled by ajv.
 */
import { expect, test } from 'vitest'
import { jobsIn, type Manifest, manifestSources, written } from '../kubernetes/manifests.ts'
import { loadTool } from '../tools/load-tool.ts'

interface Model {
  readonly prototype: { readonly validate: (this: unknown) => void }
}

const { ConfigMap, PersistentVolumeClaim, Secret } =
  await loadTool<Readonly<Record<'ConfigMap' | 'PersistentVolumeClaim' | 'Secret', Model>>>(
    'kubernetes-models/v1',
  )
const { Job } = await loadTool<{ readonly Job: Model }>('kubernetes-models/batch/v1')

const models = { Job, ConfigMap, PersistentVolumeClaim, Secret }

const isModelled = (kind: string): kind is keyof typeof models => kind in models

/** A value that notes the paths that are read of it. */
function noting(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, name) {
      const inner: unknown = Reflect.get(target, name)
      if (typeof name === 'symbol') return inner
      read.add(`${path}/${name}`)
      return noting(inner, `${path}/${name}`, read)
    },
  })
}

/** The paths that the schema does not read: they are unknown to it. */
const unread = (value: unknown, path: string, read: ReadonlySet<string>): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => {
        const place = `${path}/${name}`
        return read.has(place) ? unread(inner, place, read) : [`${place} is unknown`]
      })

/** Kustomize breaks the lines of Base64, which Kubernetes reads and the format of the schema does not. */
const withoutBreaks = (manifest: Manifest): unknown =>
  manifest.kind === 'Secret'
    ? JSON.parse(
        JSON.stringify(manifest, (_name, value) =>
          typeof value === 'string' ? value.replaceAll('\n', '') : value,
        ),
      )
    : manifest

/**
 * The errors of a manifest by the schema of its kind. The schemas let unknown fields pass, and a cluster would drop
 * them.
 */
function errorsOf(manifest: Manifest): readonly string[] {
  const { kind } = manifest
  if (!isModelled(kind)) return [`there is no schema of ${kind}`]
  const read = new Set<string>()
  try {
    models[kind].prototype.validate.call(noting(withoutBreaks(manifest), '', read))
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
  return unread(manifest, '', read)
}

test.each(manifestSources)(
  '%s: every manifest is valid by the schemas, and has no unknown field',
  (_name, manifests) => {
    expect(manifests.length).toBeGreaterThan(2)
    expect(manifests.flatMap(errorsOf)).toEqual([])
  },
)

test('a wrong type, a missing field and a misspelt one are found', () => {
  const [shards] = jobsIn(written())
  if (!shards) throw new Error('there is no job')
  const changed = (more: object): readonly string[] =>
    errorsOf({ ...shards, apiVersion: 'batch/v1', spec: { ...shards.spec, ...more } })
  expect(changed({})).toEqual([])
  expect(changed({ completions: '8' })).toEqual([expect.stringContaining('must be integer')])
  expect(changed({ backoffLimitPerIndices: 3 })).toEqual([
    '/spec/backoffLimitPerIndices is unknown',
  ])
  expect(changed({ template: undefined })).toEqual([expect.stringContaining('template')])
  const { template } = shards.spec
  const misspelt = template.spec.containers.map((each) => ({ ...each, volumemounts: [] }))
  expect(changed({ template: { spec: { ...template.spec, containers: misspelt } } })).toEqual([
    '/spec/template/spec/containers/0/volumemounts is unknown',
  ])
})
