/** Type-checks a tree of which single files change, in one compiler process: only its start takes long. */
import { join } from 'node:path'
import { API, type Snapshot } from 'typescript/unstable/async'

export interface TypeCheck {
  /** A file was written. */
  readonly changed: (path: string) => void
  /** Whether there are no errors in a file or, without one, in the whole tree. */
  readonly accepts: (path?: string) => Promise<boolean>
  readonly close: () => Promise<void>
}

/** The compiler starts with the first question. */
export function createTypeCheck(root: string): TypeCheck {
  const project = join(root, 'tsconfig.json')
  const written = new Set<string>()
  let api: API | undefined
  let snapshot: Snapshot | undefined

  async function update(): Promise<Snapshot> {
    api ??= new API({ cwd: root })
    const before = snapshot
    const fileChanges = { changed: [...written] }
    snapshot = await api.updateSnapshot({ openProjects: [project], fileChanges })
    written.clear()
    await before?.dispose()
    return snapshot
  }

  return {
    changed: (path) => void written.add(join(root, path)),
    async accepts(path) {
      const program = (await update()).getProject(project)?.program
      if (!program) throw new Error(`there is no program for ${project}`)
      const file = path === undefined ? undefined : join(root, path)
      return (await program.getSemanticDiagnostics(file)).length === 0
    },
    async close() {
      const open = api
      api = undefined
      await open?.close()
    },
  }
}
