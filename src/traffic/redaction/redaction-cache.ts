/** Texts that come again and again (headers, the same order read twice) are redacted once; within bounds, by redactor. */
import { createMemory, type Memory } from '../generational-cache.ts'
import type { ClassId } from './class.ts'
import type { Redactor } from './redactor.ts'
import type { Walk } from './walk.ts'

interface Done {
  readonly value: string
  readonly rows: readonly (readonly [path: string, id: ClassId])[]
}

const longest = 32_768
const memories = new WeakMap<Redactor, Memory<Done>>()

function memoryOf(redactor: Redactor): Memory<Done> {
  let memory = memories.get(redactor)
  if (!memory) memories.set(redactor, (memory = createMemory({ entries: 8000, bytes: 16_000_000 })))
  return memory
}

/** `about` is everything else that the result hangs on. */
export type Remember = (
  walk: Walk,
  about: string,
  text: string,
  work: (walk: Walk) => string,
) => string

export function remembering(redactor: Redactor): Remember {
  const memory = memoryOf(redactor)
  return (walk, about, text, work) => {
    if (text.length > longest) return work(walk)
    const key = `${about}\u0000${text}`
    let done = memory.get(key)
    if (!done) {
      const rows: (readonly [string, ClassId])[] = []
      done = { value: work({ ...walk, report: (path, id) => void rows.push([path, id]) }), rows }
      memory.set(key, done, (key.length + done.value.length) * 2 + 200)
    }
    for (const [path, id] of done.rows) walk.report(path, id)
    return done.value
  }
}
