/** What is held until an end, and is released in the reverse order: Node 22 has no AsyncDisposableStack. */
export class HeldResources implements AsyncDisposable {
  #ends: (() => unknown)[] = []

  use<Resource extends Disposable | AsyncDisposable>(resource: Resource): Resource {
    this.defer(() =>
      Symbol.asyncDispose in resource
        ? resource[Symbol.asyncDispose]()
        : resource[Symbol.dispose](),
    )
    return resource
  }

  defer(end: () => unknown): void {
    this.#ends.push(end)
  }

  /** Hands everything to a new holder; this one holds nothing any more. */
  move(): HeldResources {
    const moved = new HeldResources()
    ;[moved.#ends, this.#ends] = [this.#ends, []]
    return moved
  }

  /** Releases all, also where one cannot be; then the first error is thrown. */
  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = []
    for (const end of this.#ends.splice(0).toReversed())
      try {
        await end()
      } catch (error) {
        errors.push(error)
      }
    if (errors.length > 0) throw errors[0]
  }
}
