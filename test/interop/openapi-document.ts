const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
const user = { $ref: "#/components/schemas/User" };
const userBody = { required: true, content: { "application/json": { schema: user } } };
const query = (name: string, schema: unknown, more: Record<string, unknown> = {}): unknown => ({
  name,
  in: "query",
  schema,
  ...more,
});
const strings = { type: "array", items: { type: "string" } };

/** A document of 20 operations, with references, cycles and every place of parameters. */
export function document(server: string): Record<string, unknown> {
  return {
    openapi: "3.0.3",
    info: { title: "Test", version: "1" },
    servers: [{ url: "{base}/v1/", variables: { base: { default: server } } }],
    paths: {
      "/users": {
        get: {
          operationId: "listUsers",
          summary: "List users.",
          tags: ["users"],
          parameters: [
            query("limit", { type: "integer", minimum: 1, maximum: 100, format: "int32" }),
            query("tag", strings),
            query("ids", strings, { explode: false }),
            query("filter", { type: "object" }, { style: "deepObject" }),
            query("pipe", strings, { style: "pipeDelimited", explode: false }),
            { name: "shape", in: "query", content: { "application/json": { schema: {} } } },
          ],
        },
        post: { operationId: "createUser", requestBody: userBody },
      },
      "/users/{id}": {
        parameters: [id],
        get: { operationId: "getUser", parameters: [query("id", { type: "string" })] },
        put: { operationId: "replaceUser", requestBody: userBody },
        patch: {
          operationId: "changeUser",
          requestBody: { $ref: "#/components/requestBodies/User" },
        },
        delete: { operationId: "deleteUser" },
        head: { operationId: "hasUser" },
      },
      "/users/{id}/friends/{friend}": {
        get: { operationId: "getFriend", parameters: [{ $ref: "#/components/parameters/Id" }] },
      },
      "/search": {
        post: {
          operationId: "search",
          parameters: [
            { name: "X-Trace", in: "header", schema: { type: "string" } },
            { name: "Authorization", in: "header", schema: { type: "string" } },
            { name: "session", in: "cookie", schema: { type: "string" } },
            query("body", { type: "string" }),
          ],
          requestBody: { content: { "application/vnd.test+json": { schema: user } } },
        },
      },
      "/tree": {
        get: { operationId: "getTree" },
        put: {
          operationId: "putTree",
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } },
          },
        },
      },
      "/fails": { get: { operationId: "fails" } },
      "/moved": { get: { operationId: "moved" } },
      "/text": { get: { operationId: "text" } },
      "/picture": { get: { operationId: "picture" } },
      "/big": { get: { operationId: "big" } },
      "/empty": { options: { operationId: "empty" } },
      "/unnamed/{part}": { get: {} },
      "/odd.name": { get: { operationId: "a.b/c d" } },
      "/odd-name": { get: { operationId: "a/b/c d" } },
    },
    components: {
      parameters: { Id: id },
      requestBodies: { User: userBody },
      schemas: {
        User: {
          type: "object",
          required: ["id", "name"],
          properties: {
            id: { type: "integer", readOnly: true },
            name: { type: "string", example: "Ada", xml: { name: "n" } },
            age: {
              type: "integer",
              nullable: true,
              minimum: 0,
              exclusiveMinimum: true,
              format: "int64",
            },
            boss: { $ref: "#/components/schemas/User" },
          },
        },
        Tree: {
          type: "object",
          properties: { children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } },
          "x-internal": true,
        },
      },
    },
  };
}
