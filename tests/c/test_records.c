/* test_records.c - arrays of records through the public API: describing them, moving, fields, casts, comparison. */
#include "arrays.h"

#define LONGS(...) (int64_t[]){__VA_ARGS__}

typedef struct particle {
    int32_t id;
    double at[2];
    int16_t charge;
} particle;

static const tb_field fields[] = {
    {"id", TB_I32, offsetof(particle, id), 0, NULL},
    {"at", TB_F64, offsetof(particle, at), 1, (const int64_t[]){2}},
    {"charge", TB_I16, offsetof(particle, charge), 0, NULL},
};
static const tb_record description = {sizeof(tb_record), "particle", TB_RECORD_FIELDS, sizeof(particle), 3, fields};
static const particle some[3] = {{1, {.5, 1.5}, -1}, {2, {2.5, 3.5}, 1}, {3, {4.5, 5.5}, 0}};

static tb_dtype record_of(const tb_record *r)
{
    tb_dtype t = TB_NODTYPE;
    CHECK_OK(tb_record_new(r, &t));
    return t;
}

static tb_dtype bytes_of(int64_t size)
{
    tb_record r = TB_RECORD_INIT;
    r.size = size;
    return record_of(&r);
}

static tb_array *particles(void)
{
    tb_array *a = NULL;
    CHECK_OK(tb_from_host(some, record_of(&description), 1, LONGS(3), NULL, 'C', &a));
    return a;
}

/* The elements of a are these; releases a. */
static bool are(tb_array *a, int n, const particle *expected)
{
    particle got[8] = {0};
    bool same = tb_array_size(a) == n;
    CHECK_OK(tb_get(a, tb_array_dtype(a), got, n));
    for (int i = 0; i < n; i++)
        same = same && got[i].id == expected[i].id && got[i].at[0] == expected[i].at[0] &&
               got[i].at[1] == expected[i].at[1] && got[i].charge == expected[i].charge;
    tb_array_release(a);
    return same;
}

static void test_description(void)
{
    tb_dtype t = record_of(&description), other;
    tb_record r = TB_RECORD_INIT, back;
    CHECK(t > 255 && t == record_of(&description) && t >> 8 < TB_RECORDS_MAX);
    CHECK(tb_dtype_size(t) == sizeof(particle) && strcmp(tb_dtype_name(t), "particle") == 0);
    CHECK(tb_dtype_kind(t) == TB_KIND_RECORD && tb_dtype_char(t) == 'V' && tb_dtype_real(t) == t);
    CHECK_OK(tb_record_of(t, &back, sizeof back));
    CHECK(back.nfield == 3 && back.fields != fields && strcmp(back.fields[1].name, "at") == 0);
    CHECK(back.fields[1].shape[0] == 2 && back.fields[2].offset == 24);
    CHECK(tb_promote(t, t) == t && tb_promote(t, TB_F32) == TB_NODTYPE);
    CHECK(bytes_of(5) == bytes_of(5) && bytes_of(5) != bytes_of(6));
    CHECK(strcmp(tb_dtype_name(bytes_of(5)), "record of 5 bytes") == 0);
    r.size = 5;
    r.name = "another";
    CHECK(record_of(&r) != bytes_of(5));
    CHECK_FAILS(tb_record_of(TB_F32, &back, sizeof back), TB_ERR_TYPE, "float32 is no record");
    CHECK_FAILS(tb_record_of(TB_LAST_RECORD, &back, sizeof back), TB_ERR_TYPE, "no record");
    r.size = 0;
    CHECK_FAILS(tb_record_new(&r, &other), TB_ERR_VALUE, "not 0");
    r = (tb_record){sizeof r, NULL, TB_RECORD_TIME, 4, 0, NULL};
    CHECK_FAILS(tb_record_new(&r, &other), TB_ERR_VALUE, "8 bytes");
    const tb_field wrong[] = {{"x", TB_F64, 4, 0, NULL}, {"x", TB_I8, 0, 0, NULL}, {"y", TB_NODTYPE, 0, 0, NULL}};
    r = (tb_record){sizeof r, NULL, TB_RECORD_FIELDS, 8, 1, wrong};
    CHECK_FAILS(tb_record_new(&r, &other), TB_ERR_VALUE, "'x' leaves");
    r = (tb_record){sizeof r, NULL, TB_RECORD_FIELDS, 12, 2, wrong};
    CHECK_FAILS(tb_record_new(&r, &other), TB_ERR_VALUE, "'x' is there twice");
    r = (tb_record){sizeof r, NULL, TB_RECORD_FIELDS, 12, 1, wrong + 2};
    CHECK_FAILS(tb_record_new(&r, &other), TB_ERR_VALUE, "no dtype");
}

static void test_moving(void)
{
    tb_array *a = particles(), *b = NULL, *c = NULL, *index = NULL;
    CHECK(are(tb_array_retain(a), 3, some));
    const tb_index reversed = {.kind = TB_INDEX_SLICE, .step = -1};
    CHECK_OK(tb_array_index(a, 1, &reversed, &b));
    CHECK_OK(tb_copy(b, 'C', &c));
    CHECK(are(c, 3, (particle[]){some[2], some[1], some[0]}));
    CHECK_OK(tb_from_host(LONGS(1, -1), TB_I64, 1, LONGS(2), NULL, 'C', &index));
    const tb_index key[] = {{.kind = TB_INDEX_ELLIPSIS}, {.kind = TB_INDEX_ARRAY, .array = index}};
    CHECK_OK(tb_array_index(a, 2, key, &c));
    CHECK(are(tb_array_retain(c), 2, (particle[]){some[1], some[2]}));
    const tb_operand value = tb_operand_array(c);
    tb_array *d = NULL;
    CHECK_OK(tb_full(tb_array_dtype(a), 1, LONGS(3), 'C', tb_scalar_int(7), &d));
    CHECK_OK(tb_array_index_set(d, 2, key, &value));
    CHECK(are(d, 3, (particle[]){{7, {7, 7}, 7}, some[1], some[2]}));
    CHECK_OK(tb_concatenate(2, (tb_array *[]){b, c}, 0, &d));
    CHECK(are(d, 5, (particle[]){some[2], some[1], some[0], some[1], some[2]}));
    CHECK_OK(tb_empty_like(a, TB_NODTYPE, 'K', &d));
    CHECK_OK(tb_assign(d, b, TB_CAST_NO));
    CHECK(are(d, 3, (particle[]){some[2], some[1], some[0]}));
    CHECK_OK(tb_assign(a, b, TB_CAST_NO)); /* which overlaps */
    CHECK(are(tb_array_retain(a), 3, (particle[]){some[2], some[1], some[0]}));
    CHECK_FAILS(
        tb_array_index(a, 2, (tb_index[]){{.kind = TB_INDEX_ARRAY, .array = index}, {.kind = TB_INDEX_INT}}, &d),
        TB_ERR_INDEX, "1-dimensional");
    tb_array *const made[] = {a, b, c, index};
    for (int i = 0; i < 4; i++) tb_array_release(made[i]);
}

static void test_fields(void)
{
    const tb_field packed[] = {{"a", TB_I8, 0, 0, NULL}, {"b", TB_F64, 1, 0, NULL}};
    const tb_record r = {sizeof r, "packed", TB_RECORD_FIELDS, 9, 2, packed};
    tb_array *a = particles(), *at = NULL, *b = NULL;
    CHECK_OK(tb_array_field(a, "at", &at));
    CHECK(tb_array_ndim(at) == 2 && tb_array_dtype(at) == TB_F64 && holds(at, (double[]){.5, 1.5, 2.5, 3.5, 4.5, 5.5}));
    CHECK_OK(tb_assign_scalar(at, tb_scalar_int(9)));
    CHECK(are(tb_array_retain(a), 3, (particle[]){{1, {9, 9}, -1}, {2, {9, 9}, 1}, {3, {9, 9}, 0}}));
    CHECK_FAILS(tb_array_field(a, "from", &b), TB_ERR_VALUE, "no field of name from");
    CHECK_FAILS(tb_array_field(at, "at", &b), TB_ERR_VALUE, "no field");
    tb_array_release(at);
    tb_array_release(a);
    CHECK_OK(tb_full(record_of(&r), 1, LONGS(3), 'C', tb_scalar_float(2.5), &a));
    CHECK_FAILS(tb_array_field(a, "b", &b), TB_ERR_VALUE, "field 'b': its float64 at byte 1");
    const tb_field one[] = {{"b", TB_F64, 1, 0, NULL}}, alone[] = {{"c", TB_F32, 0, 0, NULL}};
    const tb_record hidden = {sizeof r, NULL, TB_RECORD_FIELDS, 9, 1, one};
    const tb_record seen = {sizeof r, NULL, TB_RECORD_FIELDS, 4, 1, alone};
    CHECK_OK(tb_view_dtype(a, record_of(&hidden), &b));
    CHECK_OK(tb_assign_scalar(b, tb_scalar_float(4.25))); /* a is left alone */
    tb_array *c = NULL, *field = NULL;
    CHECK_OK(tb_astype(b, record_of(&seen), 'K', TB_CAST_SAME_KIND, true, &c));
    CHECK_OK(tb_array_field(c, "c", &field));
    CHECK(holds(field, (float[]){4.25, 4.25, 4.25}));
    tb_array_release(field);
    CHECK_OK(tb_array_field(a, "a", &field));
    CHECK(holds(field, (int8_t[]){2, 2, 2}));
    tb_array *const made[] = {a, b, c, field};
    for (int i = 0; i < 4; i++) tb_array_release(made[i]);
}

static void test_casts(void)
{
    const tb_dtype p = record_of(&description), v4 = bytes_of(4), v6 = bytes_of(6);
    tb_array *a = particles(), *b = NULL;
    CHECK(tb_can_cast(p, p, TB_CAST_NO) && !tb_can_cast(p, TB_F32, TB_CAST_UNSAFE));
    CHECK(tb_can_cast(TB_F32, p, TB_CAST_UNSAFE) && !tb_can_cast(TB_F32, p, TB_CAST_SAFE));
    CHECK(tb_can_cast(v4, v6, TB_CAST_SAFE) && tb_can_cast(v6, v4, TB_CAST_SAME_KIND));
    CHECK(!tb_can_cast(v6, v4, TB_CAST_SAFE) && !tb_can_cast(v4, TB_F32, TB_CAST_UNSAFE));
    CHECK_FAILS(tb_astype(a, TB_F32, 'K', TB_CAST_UNSAFE, true, &b), TB_ERR_CASTING, "particle");
    CHECK_FAILS(tb_full(v4, 0, NULL, 'C', tb_scalar_int(1), &b), TB_ERR_TYPE, "record of 4 bytes");
    tb_array *bytes = NULL;
    CHECK_OK(tb_from_host("abcdefgh", v4, 1, LONGS(2), NULL, 'C', &b));
    CHECK_OK(tb_astype(b, v6, 'K', TB_CAST_SAFE, true, &bytes));
    char got[12];
    CHECK_OK(tb_get(bytes, v6, got, 2));
    CHECK(memcmp(got, "abcd\0\0efgh\0\0", 12) == 0);
    tb_array *const made[] = {a, b, bytes};
    for (int i = 0; i < 3; i++) tb_array_release(made[i]);
}

static void test_equality(void)
{
    const tb_record time = {sizeof time, "seconds", TB_RECORD_TIME, 8, 0, NULL};
    tb_array *a = particles(), *b = particles(), *same = NULL, *first = NULL, *number = range(TB_F64, 0, 3);
    const tb_index key = {.kind = TB_INDEX_INT, .start = 1};
    CHECK_OK(tb_array_index(b, 1, &key, &first));
    CHECK_OK(tb_record_equal(a, first, &same));
    CHECK(holds(same, (uint8_t[]){0, 1, 0}));
    tb_array_release(same);
    CHECK_FAILS(tb_record_equal(a, number, &same), TB_ERR_TYPE, "particle and of float64");
    tb_array *t = NULL;
    CHECK_OK(tb_from_host(LONGS(5, INT64_MIN), record_of(&time), 1, LONGS(2), NULL, 'C', &t));
    CHECK_OK(tb_record_equal(t, t, &same));
    CHECK(holds(same, (uint8_t[]){1, 0}));
    tb_array *const made[] = {a, b, same, first, number, t};
    for (int i = 0; i < 6; i++) tb_array_release(made[i]);
}

static void test_refusals(void)
{
    tb_array *a = particles(), *out = NULL;
    CHECK_FAILS(tb_add(a, a, &out), TB_ERR_TYPE, "particle");
    CHECK_FAILS(tb_add_s_into(a, tb_scalar_int(1), a), TB_ERR_TYPE, "particle");
    CHECK_FAILS(tb_sum(a, 0, &out), TB_ERR_TYPE, "particle");
    CHECK_FAILS(tb_sort(a, 0, &out), TB_ERR_TYPE, "particle");
    CHECK_FAILS(tb_matmul(a, a, &out), TB_ERR_TYPE, "particle");
    CHECK_FAILS(tb_arange(tb_array_dtype(a), tb_scalar_int(0), tb_scalar_int(1), 3, &out), TB_ERR_VALUE, "");
    CHECK_FAILS(tb_empty(TB_LAST_RECORD, 0, NULL, 'C', &out), TB_ERR_VALUE, "");
    tb_array_release(a);
}

int main(void)
{
    test_description();
    test_moving();
    test_fields();
    test_casts();
    test_equality();
    test_refusals();
    return check_report();
}
