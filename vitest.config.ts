import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    typecheck: { enabled: false },
    restoreMocks: true,
    unstubEnvs: true,
    testTimeout: 20_000,
    coverage: { provider: "v8", include: ["src/**"], exclude: ["src/**/*.test*.ts"] },
  },
});
