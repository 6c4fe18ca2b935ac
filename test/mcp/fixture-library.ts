import type { McpLibrary, McpPromptText } from "../../src/mcp/index.ts";

/** One red pixel. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

const said = (...content: McpPromptText["messages"][number]["content"][]): McpPromptText => ({
  messages: content.map((part) => ({ role: "user", content: part })),
});
const argument = (name: string) => ({ name, description: "An argument.", required: true });
const text = (value: string) => ({ type: "text", text: value }) as const;

/** Resources and prompts under the names that the conformance suite asks for. */
export const fixtureLibrary: McpLibrary = {
  async resources() {
    return [
      { uri: "test://static-text", name: "text", description: "A text.", mimeType: "text/plain" },
      {
        uri: "test://static-binary",
        name: "image",
        description: "An image.",
        mimeType: "image/png",
      },
      { uri: "test://watched-resource", name: "watched", description: "A text that may change." },
    ];
  },
  templates: [
    {
      uriTemplate: "test://template/{id}/data",
      name: "data",
      description: "The data of an id.",
      mimeType: "application/json",
    },
  ],
  async read(uri) {
    const id = /^test:\/\/template\/([^/]+)\/data$/u.exec(uri)?.[1];
    if (id !== undefined) {
      return [{ uri, mimeType: "application/json", text: JSON.stringify({ id }) }];
    }
    if (uri === "test://static-binary") return [{ uri, mimeType: "image/png", blob: png }];
    const isText = uri === "test://static-text" || uri === "test://watched-resource";
    return isText ? [{ uri, mimeType: "text/plain", text: "A static text." }] : undefined;
  },
  async prompts() {
    return [
      { name: "test_simple_prompt", description: "Without arguments." },
      {
        name: "test_prompt_with_arguments",
        description: "With arguments.",
        arguments: ["arg1", "arg2"].map(argument),
      },
      {
        name: "test_prompt_with_embedded_resource",
        description: "With a resource.",
        arguments: [argument("resourceUri")],
      },
      { name: "test_prompt_with_image", description: "With an image." },
      { name: "test_input_required_result_prompt", description: "Asks the user." },
    ];
  },
  async prompt({ name, arguments: given, client }) {
    switch (name) {
      case "test_simple_prompt":
        return said(text("A simple prompt."));
      case "test_prompt_with_arguments":
        return said(text(`arg1='${given["arg1"]}', arg2='${given["arg2"]}'`));
      case "test_prompt_with_embedded_resource": {
        const uri = given["resourceUri"] ?? "";
        return said(
          { type: "resource", resource: { uri, mimeType: "text/plain", text: "Embedded." } },
          text("Read the resource above."),
        );
      }
      case "test_prompt_with_image":
        return said({ type: "image", data: png, mimeType: "image/png" }, text("Look at it."));
      case "test_input_required_result_prompt": {
        const schema = {
          type: "object",
          properties: { context: { type: "string" } },
          required: ["context"],
        } as const;
        const answer = await client.elicit({ name: "user_context", message: "Which?", schema });
        return said(text(JSON.stringify(answer)));
      }
      default:
        return undefined;
    }
  },
  complete: async (_of, _variable, start) =>
    ["paris", "park", "party"].filter((value) => value.startsWith(start)),
};
