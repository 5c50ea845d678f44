/** Reads the syntax tree of a JavaScript source as plain nodes, whatever their type. */

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

export const propertyOf = (node: Node, key: string): unknown => Reflect.get(node, key)

export const nodeAt = (node: Node, key: string): Node | undefined => {
  const found = propertyOf(node, key)
  return isNode(found) ? found : undefined
}

export const nodesAt = (node: Node, key: string): readonly Node[] => {
  const found = propertyOf(node, key)
  return Array.isArray(found) ? found.filter(isNode) : []
}
