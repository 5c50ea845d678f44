/** Waits for what a service does not do: after two procedures that have waited for it in vain, no other one does. */

/** Of shorter waits there may be many. */
const longMs = 10_000
const enoughProcedures = 2

/** The same for every order and account, in whatever form its id is: "createDelivery of order …". */
const withoutIds = (what: string): string => what.replaceAll(/\b(order|account) [^\s,]+/g, '$1 …')

export class VainWaits {
  /** The procedures by what they have waited for. */
  readonly #procedures = new Map<string, Set<string>>()

  isVain(what: string): boolean {
    return (this.#procedures.get(withoutIds(what))?.size ?? 0) >= enoughProcedures
  }

  ended(procedure: string, what: string, isFound: boolean, tookMs: number): void {
    const key = withoutIds(what)
    if (isFound) this.#procedures.delete(key)
    else if (tookMs >= longMs)
      this.#procedures.set(key, (this.#procedures.get(key) ?? new Set()).add(procedure))
  }
}
